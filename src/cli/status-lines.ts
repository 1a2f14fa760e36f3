// Status → plain lines for people and scripts: one agent a line, no redrawing. Pure.

import { plainText } from '../files/plain-text.ts';
import type { AgentLine, Status } from '../protocol/status.ts';
import { type AgentState, countsText, looks } from '../text/agent-state.ts';
import { clockText } from '../text/span-text.ts';
import { tokensText } from '../text/token-text.ts';
import type { HandoffSteps } from '../watching/handoff-steps.ts';
import { agentLine, answerText, type Frame, shownOf } from './live-view.ts';

export function statusLines(status: Status, hasEngine: boolean, frame: Frame): string[] {
  const nameCells = Math.max(...status.agents.map(agent => agent.agent_name.length));
  const state = status.paused ? `${status.status}, paused` : status.status;
  const isLost = status.status === 'running' && !hasEngine;
  const agents = shownOf(status, frame, isLost);
  const lines = [
    `${frame.paint('bold', status.execution_id)}  ${state}, phase ${status.phase}: ${countsText(agents.map(each => each.state.look))}`,
    `workspace: ${plainText(status.workspace_root)}`,
    ...agents.map(each => agentLine(each, nameCells, frame)),
    ...status.agents
      .filter(({ claude }) => claude?.question)
      .map(agent => `to answer ${agent.agent_name}: ${answerText(agent, status.execution_id)}`),
  ];
  if (status.note !== null) lines.push(`held back: ${plainText(status.note)}`);
  if (isLost) lines.push(`no engine is running; to go on: baton resume ${status.execution_id}`);
  return lines;
}

export type Look = { status: Status; steps: HandoffSteps };

// What changed between two looks, one line each. Last lines are left out: they change all the time.
export function changeLines(before: Look | null, after: Look): string[] {
  const time = clockText(after.status.updated_at);
  const known = new Map(before === null ? [] : changesIn(before).map(({ name, sign }) => [name, sign]));
  const lines = changesIn(after)
    .filter(({ name, sign }) => known.get(name) !== sign)
    .map(({ name, text }) => `${time} ${name}: ${text}`);
  if (before === null || toState(before.status) !== toState(after.status))
    lines.push(`${time} ${after.status.execution_id}: ${toState(after.status)}`);
  return lines;
}

const changesIn = ({ status, steps }: Look) =>
  shownOf(status, { steps }).map(({ agent, state, step }) => {
    const words = wordsOf(agent, state, step, status.execution_id);
    const context = agent.claude?.context?.tokens ?? null;
    return {
      name: agent.agent_name,
      // A context is told with what else is told, and by itself when it has grown by a good deal.
      sign: [...words, Math.floor((context ?? 0) / CONTEXT_STEP)].join(', '),
      text: [...words, ...(context === null ? [] : [`context ${tokensText(context)}`])].join(', '),
    };
  });

const CONTEXT_STEP = 25_000;

function wordsOf(agent: AgentLine, { look }: AgentState, step: string | null, execution: string): string[] {
  const { attempt, note, claude } = agent;
  const question = claude?.question ?? null;
  const parked = claude?.parked ?? null;
  // Between two turns an agent is idle for moments; nobody wants a line for each.
  const word = look.word === looks.idle.word ? looks.running.word : look.word;
  return [
    question === null
      ? word
      : `asks (${question.kind}): ${plainText(question.title, { max: 200 })} [${answerText(agent, execution)}]`,
    ...(look.word === looks.stuck.word && claude ? [`its screen: ${claude.state.replace('_', ' ')}`] : []),
    ...(step === null ? [] : [`handoff: ${plainText(step)}`]),
    ...(attempt > 1 ? [`attempt ${attempt}`] : []),
    ...(parked === null
      ? []
      : [`until ${parked.until === null ? 'somebody acts' : clockText(parked.until)}: ${plainText(parked.reason)}`]),
    ...(claude?.held_by == null ? [] : [`held by ${plainText(claude.held_by)}`]),
    ...(note === null ? [] : [plainText(note)]),
  ];
}

function toState({ status, phase, paused, note }: Status): string {
  const held = note === null ? '' : `, held back: ${plainText(note)}`;
  return `${status}, phase ${phase}${paused ? ', paused' : ''}${held}`;
}
