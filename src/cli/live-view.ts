// Status → the lines of the live block: a head, one line an agent, never wider or higher than it may be. Who needs a
// person stands first, with how to answer. Pure. Text of agents is stripped here, so that no other place can forget it.

import { plainText } from '../files/plain-text.ts';
import type { AgentLine, Status } from '../protocol/status.ts';
import { type AgentState, agentState, calm, countsText, lastWords } from '../text/agent-state.ts';
import { cellWidth, fitCells, padCells } from '../text/cell-width.ts';
import type { Paint } from '../text/paint.ts';
import { spanText } from '../text/span-text.ts';
import { costText, tokensText } from '../text/token-text.ts';
import type { HandoffSteps } from '../watching/handoff-steps.ts';

export type Frame = { width: number; height: number; now: number; paint: Paint; steps?: HandoffSteps };
type Shown = { agent: AgentLine; state: AgentState; step: string | null };

const NAME_CELLS = 28;
const STATE_CELLS = 9;
const TIME_CELLS = 7;
const FIGURES_CELLS = 12; // " 999k $99.99"
const LEAST_FOR_FIGURES = 72;
const LEAST_LAST_LINE = 10; // fewer columns of a last line tell nothing

export function liveLines(status: Status, frame: Frame): string[] {
  const agents = shownOf(status, frame);
  const rows = Math.max(1, frame.height - 3);
  const { shown, hidden } = choose(agents, rows);
  const longest = Math.max(...shown.map(({ agent }) => agent.agent_name.length));
  const nameCells = Math.min(nameLimit(frame.width), longest);
  let room = rows - shown.length;
  const lines = [headLine(status, agents, frame)];
  for (const each of shown) {
    lines.push(agentLine(each, nameCells, frame));
    const answer = answerLine(each, status.execution_id, frame);
    if (answer === null || room <= 0) continue;
    room -= 1;
    lines.push(answer);
  }
  if (hidden.length > 0) lines.push(frame.paint('dim', fitCells(moreText(hidden), frame.width)));
  if (status.note !== null) {
    lines.push(frame.paint('yellow', fitCells(`held back: ${plainText(status.note)}`, frame.width)));
  }
  return lines;
}

export function shownOf({ agents }: Status, { steps }: Pick<Frame, 'steps'>, isLost = false): Shown[] {
  return agents.map(agent => {
    const step = agent.pane === null ? null : (steps?.get(agent.pane) ?? null);
    return { agent, step, state: agentState(agent, { ...calm, isLost, handoff: step }) };
  });
}

const nameLimit = (width: number) => Math.max(1, Math.min(NAME_CELLS, Math.floor(width * 0.4)));

function headLine(status: Status, agents: readonly Shown[], { width, now, paint }: Frame): string {
  const counts = countsText(agents.map(({ state }) => state.look));
  const time = spanText(now - Date.parse(status.start_time));
  const state = status.paused ? 'paused' : status.phase;
  return paint('bold', fitCells(`${status.execution_id}  ${state}  ${time}  ${counts}`, width));
}

export function agentLine({ agent, state, step }: Shown, nameCells: number, { width, now, paint }: Frame): string {
  const { sign, colour, word } = state.look;
  const attempt = agent.attempt > 1 ? `#${agent.attempt}` : '';
  const parts = [padCells(agent.agent_name, nameCells), padCells(word, STATE_CELLS), padCells(attempt, 3)];
  const figures = width < LEAST_FOR_FIGURES ? '' : ` ${figuresOf(agent).padEnd(FIGURES_CELLS)}`;
  const head = `${parts.join(' ')} ${elapsed(agent, now).padStart(TIME_CELLS)}${figures}`;
  const room = width - cellWidth(head) - 4;
  const words = step === null ? lastWords(agent) : `handoff: ${step}`;
  const last = room < LEAST_LAST_LINE ? '' : fitCells(plainText(words).trim(), room);
  if (width < 3) return fitCells(sign, width);
  const shown = fitCells(head, width - 2);
  const text = state.rank === 'needs' ? paint('bold', shown) : shown;
  return `${paint(colour, sign)} ${text}${last === '' ? '' : `  ${paint('dim', last)}`}`.trimEnd();
}

function figuresOf({ claude }: AgentLine): string {
  if (claude === null || claude === undefined) return '';
  return `${tokensText(claude.context?.tokens ?? null).padStart(5)} ${costText(claude.cost_usd)}`;
}

// What can be answered, and the command that does it.
function answerLine({ agent }: Shown, execution: string, { width, paint }: Frame): string | null {
  const { question } = agent.claude ?? {};
  if (!question || width < 20) return null;
  return paint('yellow', fitCells(`    ${answerText(agent, execution)}`, width));
}

export function answerText({ agent_name, claude }: AgentLine, execution: string): string {
  const options = (claude?.question?.options ?? []).map(
    ({ number, label }) => `${number} ${plainText(label, { max: 40 })}`,
  );
  return `${options.join(' · ')}${options.length === 0 ? '' : ' · '}baton answer ${execution}/${agent_name} <number>`;
}

function elapsed({ start_time, end_time }: AgentLine, now: number): string {
  if (start_time === null) return '';
  return spanText((end_time === null ? now : Date.parse(end_time)) - Date.parse(start_time));
}

// Who needs a person comes first. Too many for the screen: then what moves and what went wrong; each group in the
// order of the request.
function choose(agents: readonly Shown[], rows: number): { shown: Shown[]; hidden: Shown[] } {
  const needy = agents.toSorted((a, b) => Number(b.state.rank === 'needs') - Number(a.state.rank === 'needs'));
  if (agents.length <= rows) return { shown: needy, hidden: [] };
  const ranked = agents.toSorted((a, b) => weightOf(a) - weightOf(b));
  const chosen = new Set(ranked.slice(0, Math.max(1, rows - 1)));
  return { shown: needy.filter(each => chosen.has(each)), hidden: needy.filter(each => !chosen.has(each)) };
}

function weightOf({ agent, state }: Shown): number {
  const isBroken = agent.status === 'failure' || agent.status === 'timeout';
  return isBroken ? 2 : { needs: 0, runs: 1, waits: 3, ended: 4 }[state.rank];
}

function moreText(hidden: readonly Shown[]): string {
  const hiddenLooks = hidden.map(({ state }) => state.look);
  const isOneKind = new Set(hiddenLooks.map(({ word }) => word)).size === 1;
  return isOneKind
    ? `… ${hidden.length} more ${hiddenLooks[0]!.word}`
    : `… ${hidden.length} more: ${countsText(hiddenLooks)}`;
}
