// Status → plain lines for people and scripts: one agent a line, no redrawing. Pure.

import { plainText } from '../files/plain-text.ts';
import type { AgentLine, Status } from '../protocol/status.ts';
import { clockText } from '../text/span-text.ts';
import { countsText, looks } from './agent-looks.ts';
import { agentLine, type Frame } from './live-view.ts';

export function statusLines(status: Status, hasEngine: boolean, frame: Frame): string[] {
  const nameCells = Math.max(...status.agents.map(agent => agent.agent_name.length));
  const state = status.paused ? `${status.status}, paused` : status.status;
  const lines = [
    `${frame.paint('bold', status.execution_id)}  ${state}, phase ${status.phase}: ${countsText(status.agents.map(agent => agent.status))}`,
    `workspace: ${plainText(status.workspace_root)}`,
    ...status.agents.map(agent => agentLine(agent, nameCells, frame)),
  ];
  if (status.note !== null) lines.push(`held back: ${plainText(status.note)}`);
  if (status.status === 'running' && !hasEngine) {
    lines.push(`no engine is running; to go on: baton resume ${status.execution_id}`);
  }
  return lines;
}

// What changed between two looks, one line each. Last lines are left out: they change all the time.
export function changeLines(before: Status | null, after: Status): string[] {
  const time = clockText(after.updated_at);
  const known = new Map(before?.agents.map(agent => [agent.agent_name, toChange(agent)]));
  const lines = after.agents
    .filter(agent => known.get(agent.agent_name) !== toChange(agent))
    .map(agent => `${time} ${agent.agent_name}: ${toChange(agent)}`);
  if (before === null || toState(before) !== toState(after))
    lines.push(`${time} ${after.execution_id}: ${toState(after)}`);
  return lines;
}

function toChange({ status, attempt, note, claude }: AgentLine): string {
  const question = claude?.question ?? null;
  const parked = claude?.parked ?? null;
  const parts = [
    looks[status].word,
    ...(attempt > 1 ? [`attempt ${attempt}`] : []),
    ...(question === null ? [] : [`asks (${question.kind}): ${plainText(question.title, { max: 200 })}`]),
    ...(parked === null
      ? []
      : [`until ${parked.until === null ? 'somebody acts' : clockText(parked.until)}: ${plainText(parked.reason)}`]),
    ...(claude?.held_by == null ? [] : [`held by ${plainText(claude.held_by)}`]),
    ...(note === null ? [] : [plainText(note)]),
  ];
  return parts.join(', ');
}

function toState({ status, phase, paused, note }: Status): string {
  const held = note === null ? '' : `, held back: ${plainText(note)}`;
  return `${status}, phase ${phase}${paused ? ', paused' : ''}${held}`;
}
