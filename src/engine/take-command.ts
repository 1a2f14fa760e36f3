// What a wish of a person means for a run: pure but for the events it appends.

import { dependents } from '../plan/graph.ts';
import type { RunState } from '../run/run-state.ts';
import type { Answer, Command } from './control-socket.ts';
import type { RunRecord } from './run-record.ts';

export const CLOSING: Answer = {
  ok: false,
  message: 'all agents have ended and the results are being merged; try again in a moment',
};

export function takeCommand(record: RunRecord, command: Command): Answer {
  const state = record.state();
  const isClosing = state.phase === 'validate' || state.phase === 'merge';
  if (isClosing) return CLOSING;
  switch (command.do) {
    case 'pause':
      if (state.isPaused) return { ok: true, message: 'it is paused already' };
      record.append({ type: 'paused', agent: null, data: {} });
      return { ok: true, message: 'paused: running agents go on, no new one starts' };
    case 'unpause':
      if (!state.isPaused) return { ok: true, message: 'it is not paused' };
      record.append({ type: 'unpaused', agent: null, data: {} });
      return { ok: true, message: 'going on' };
    case 'cancel':
      if (state.ending === null)
        record.append({ type: 'cancel_requested', agent: null, data: { reason: 'asked for by a person' } });
      return { ok: true, message: 'cancelling: agents are being ended' };
    case 'retry':
      return retry(record, state, command.agent);
  }
}

function retry(record: RunRecord, state: RunState, agent: string): Answer {
  const run = state.agents.get(agent);
  if (!run)
    return { ok: false, message: `no agent is called "${agent}"; there are: ${[...state.agents.keys()].join(', ')}` };
  if (run.state.at !== 'ended') return { ok: false, message: `${agent} has not ended, it is ${run.state.at}` };
  if (state.ending !== null && state.ended === null)
    return { ok: false, message: 'the execution is being ended; retry when it is over' };
  const graph = new Map([...state.agents.values()].map(({ request }) => [request.agent_name, request.dependencies]));
  const busy = dependents(graph, agent).filter(name => 'now' in state.agents.get(name)!.state);
  if (busy.length > 0)
    return { ok: false, message: `${busy.join(', ')} depends on it and is running; wait for its end` };
  const failed = run.request.dependencies.filter(name => !succeeded(state, name));
  if (failed.length > 0)
    return { ok: false, message: `${agent} depends on ${failed.join(', ')}, which did not succeed; retry that one` };
  const agents = [agent, ...dependents(graph, agent)];
  record.append({ type: 'retry_requested', agent, data: { agents } });
  return { ok: true, message: `again: ${agents.join(', ')}` };
}

function succeeded(state: RunState, name: string): boolean {
  const other = state.agents.get(name)!.state;
  return other.at === 'ended' && other.status === 'success';
}
