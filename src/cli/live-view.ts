// Status → the lines of the live block: a head, one line an agent, never wider or higher than it may be.
// Pure. Text of agents is stripped here, so that no other place can forget it.

import { plainText } from '../files/plain-text.ts';
import type { AgentLine, Status } from '../protocol/status.ts';
import { cellWidth, fitCells, padCells } from '../text/cell-width.ts';
import type { Paint } from '../text/paint.ts';
import { spanText } from '../text/span-text.ts';
import { countsText, looks, order } from './agent-looks.ts';

export type Frame = { width: number; height: number; now: number; paint: Paint };

const NAME_CELLS = 28;
const STATUS_CELLS = 7;
const TIME_CELLS = 7;
const LEAST_LAST_LINE = 10; // fewer columns of a last line tell nothing

export function liveLines(status: Status, frame: Frame): string[] {
  const rows = Math.max(1, frame.height - 3);
  const { shown, hidden } = choose(status.agents, rows);
  const nameCells = Math.min(nameLimit(frame.width), Math.max(...shown.map(({ agent_name }) => agent_name.length)));
  const lines = [headLine(status, frame), ...shown.map(agent => agentLine(agent, nameCells, frame))];
  if (hidden.length > 0) lines.push(frame.paint('dim', fitCells(moreText(hidden), frame.width)));
  if (status.note !== null) {
    lines.push(frame.paint('yellow', fitCells(`held back: ${plainText(status.note)}`, frame.width)));
  }
  return lines;
}

const nameLimit = (width: number) => Math.max(1, Math.min(NAME_CELLS, Math.floor(width * 0.4)));

function headLine(status: Status, { width, now, paint }: Frame): string {
  const counts = countsText(status.agents.map(agent => agent.status));
  const time = spanText(now - Date.parse(status.start_time));
  const state = status.paused ? 'paused' : status.phase;
  return paint('bold', fitCells(`${status.execution_id}  ${state}  ${time}  ${counts}`, width));
}

export function agentLine(agent: AgentLine, nameCells: number, { width, now, paint }: Frame): string {
  const { sign, colour, word } = looks[agent.status];
  const attempt = agent.attempt > 1 ? `#${agent.attempt}` : '';
  const parts = [padCells(agent.agent_name, nameCells), padCells(word, STATUS_CELLS), padCells(attempt, 3)];
  const head = `${parts.join(' ')} ${elapsed(agent, now).padStart(TIME_CELLS)}`;
  const room = width - cellWidth(head) - 4;
  const last = room < LEAST_LAST_LINE ? '' : fitCells(plainText(lastWords(agent)).trim(), room);
  if (width < 3) return fitCells(sign, width);
  return `${paint(colour, sign)} ${fitCells(head, width - 2)}${last === '' ? '' : `  ${paint('dim', last)}`}`.trimEnd();
}

function elapsed({ start_time, end_time }: AgentLine, now: number): string {
  if (start_time === null) return '';
  return spanText((end_time === null ? now : Date.parse(end_time)) - Date.parse(start_time));
}

// Why it failed, waits or is being stopped says more than the last thing it printed.
const lastWords = ({ note, last_line }: AgentLine): string => note ?? last_line ?? '';

// Too many for the screen: what moves and what went wrong first, each group in the order of the request.
function choose(agents: readonly AgentLine[], rows: number): { shown: AgentLine[]; hidden: AgentLine[] } {
  if (agents.length <= rows) return { shown: [...agents], hidden: [] };
  const ranked = agents.toSorted((a, b) => order.indexOf(a.status) - order.indexOf(b.status));
  const chosen = new Set(ranked.slice(0, Math.max(1, rows - 1)));
  return { shown: agents.filter(agent => chosen.has(agent)), hidden: agents.filter(agent => !chosen.has(agent)) };
}

function moreText(hidden: readonly AgentLine[]): string {
  const statuses = hidden.map(agent => agent.status);
  const isOneKind = new Set(statuses).size === 1;
  return isOneKind
    ? `… ${hidden.length} more ${looks[statuses[0]!].word}`
    : `… ${hidden.length} more: ${countsText(statuses)}`;
}
