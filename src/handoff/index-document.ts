// The index of a project's agents: a block between two marks inside docs/HANDOFF.md. Everything outside of the marks
// belongs to others. Pure.

import { plainText } from '../files/plain-text.ts';
import { withoutSecrets } from '../files/secret-assignments.ts';
import type { Worker, WorkerEvent } from '../protocol/workers.ts';

export type IndexedWorker = Worker & { document: string | null; branch: string | null };
export type IndexFacts = { at: string; workers: readonly IndexedWorker[]; events: readonly WorkerEvent[] };

const BEGIN = '<!-- baton:index begin: kept by the watchdog; text between these marks is written anew -->';
const END = '<!-- baton:index end -->';
const BLOCK = /<!-- baton:index begin\b[^\n]*-->[\s\S]*?<!-- baton:index end -->/g;
const ANY = /baton:index (?:begin|end)/g;
const MOST = { workers: 60, lines: 30, events: 15 };

export function indexBlock({ at, workers, events }: IndexFacts): string {
  const active = workers.filter(({ state }) => ['running', 'asking', 'parked', 'unattended'].includes(state));
  const pending = workers.filter(({ state }) => state === 'pending');
  const blocked = workers.filter(({ state }) =>
    ['asking', 'parked', 'unattended', 'failure', 'timeout'].includes(state),
  );
  const updates = new Map(events.map(event => [event.key, event.at]));
  return [
    BEGIN,
    '## Agents of Baton',
    '',
    `As of ${minute(at)}. Each agent has a document of its own; its handoffs are there.`,
    '',
    '### Active Workers',
    '',
    ...(active.length === 0
      ? ['none: no agent is at work']
      : [
          '| Agent | Task | Status | Branch | Document | Last Update |',
          '|-------|------|--------|--------|----------|-------------|',
          ...few(active, MOST.workers).map(worker => row(worker, updates.get(worker.key) ?? at)),
        ]),
    '',
    '### Pending',
    '',
    ...list(
      pending.map(
        ({ name, waits_for }) =>
          `${clean(name)}${waits_for.length === 0 ? '' : ` (after ${clean(waits_for.join(', '))})`}`,
      ),
      'none: no agent waits to begin',
    ),
    '',
    '### Blocked',
    '',
    ...list(blocked.map(reasonOf), 'none: no agent is blocked'),
    '',
    '### Recent Events',
    '',
    ...list(
      events.slice(-MOST.events).map(event => `${minute(event.at)} ${clean(event.name)} ${clean(event.text)}`),
      'none: nothing is known yet',
    ),
    END,
  ].join('\n');
}

// Who is at work, waits or is blocked, and why: what makes an index untrue when it changes. How full a context is, or
// that a handoff runs, does not.
export const indexShape = (workers: readonly Worker[]): string =>
  JSON.stringify(
    workers
      .map(({ key, state, question, note }) => [key, state, question?.digest ?? (state === 'parked' ? note : null)])
      .toSorted(),
  );

// Written anew once things have settled, and not at every step of a busy execution: each time may be a commit.
const SETTLES_MS = 5000;
const BETWEEN_MS = 60_000;

export type Staleness = { isOver: boolean; changedForMs: number; writtenAgoMs: number };

export const isRefreshDue = ({ isOver, changedForMs, writtenAgoMs }: Staleness): boolean =>
  changedForMs >= SETTLES_MS && (isOver || writtenAgoMs >= BETWEEN_MS);

function row(worker: IndexedWorker, at: string): string {
  const { name, task, state, handoff, branch, document } = worker;
  const status = handoff === null ? state : `${state}, being handed over`;
  return `| ${[name, task ?? '-', status, branch ?? '-', document ?? '-', minute(at)].map(cell).join(' | ')} |`;
}

function reasonOf({ name, state, question, note }: Worker): string {
  const why = question === null ? note : `${question.kind}: ${question.title}`;
  return `${clean(name)}: ${state}${why === null ? '' : ` (${clean(why)})`}`;
}

export const hasIndex = (text: string): boolean => text.search(ANY) >= 0;

// Null: the marks are damaged, and what is ours cannot be told from what is not. Two blocks, as a merge may leave
// them, become one; a conflict inside of a block goes with it.
export function withIndex(text: string | null, block: string): string | null {
  if (text === null || text.trim() === '') return `# Orchestration Handoff\n\n${block}\n`;
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const ours = block.replaceAll('\n', eol);
  const marks = text.match(ANY)?.length ?? 0;
  if (marks === 0) return `${text}${text.endsWith(eol) ? '' : eol}${eol}${ours}${eol}`;
  const blocks = text.match(BLOCK) ?? [];
  const isWhole = blocks.every(each => each.match(ANY)?.length === 2);
  if (marks !== blocks.length * 2 || !isWhole) return null;
  if (blocks.length > 1 && /^(<{7} |={7}$|>{7} )/m.test(text.replace(BLOCK, ''))) return null;
  let isFirst = true;
  return text.replace(BLOCK, () => {
    const put = isFirst ? ours : '';
    isFirst = false;
    return put;
  });
}

const few = <T>(items: readonly T[], most: number): readonly T[] => items.slice(0, most);
const list = (lines: readonly string[], none: string): string[] =>
  lines.length === 0
    ? [none]
    : [
        ...few(lines, MOST.lines).map(line => `- ${line}`),
        ...(lines.length > MOST.lines ? [`- and ${lines.length - MOST.lines} more`] : []),
      ];

const minute = (at: string): string => `${at.slice(0, 16).replace('T', ' ')} UTC`;
// No worker may write a mark or a comment of its own into the block.
const clean = (text: string): string =>
  plainText(
    withoutSecrets(plainText(text))
      .replaceAll(/<!--|-->|baton:index/g, '')
      .replace(/\s+/g, ' ')
      .trim(),
    { max: 160 },
  );
const cell = (text: string): string => clean(text).replaceAll('|', '\\|') || '-';
