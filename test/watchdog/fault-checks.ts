// The invariants of failures.md 4.1 asked of what a real kill left behind: receipts, git, records, events, files. Each
// is a question of its own, and test/watchdog/fault-checks.test.ts shows each to catch what was planted for it.

import { existsSync, readdirSync } from 'node:fs';
import type { Event } from '../../src/protocol/event.ts';
import type { HandoffRecord } from '../../src/protocol/handoff.ts';
import { ExecutionReport } from '../../src/protocol/report.ts';

export type Victim = 'watchdog' | 'engine' | 'claude' | 'tmux';
export type Kill = { victim: Victim; at: string; draft: boolean };

// What the world has to show; test/watchdog/fleet-world.ts, or one made by hand.
export type Left = {
  at(...parts: string[]): string;
  read(...parts: string[]): string;
  git(...args: string[]): string;
  records(): HandoffRecord[];
  events(): Event[];
};

export const DRAFT = 'a draft of mine';
export const MINE = 'bytes of mine, in no commit\n'; // in mine.txt, not added, and in staged.txt, added

type Noted = { event: string; ordered?: string; session_id?: string; payload: Record<string, string> | null };
type Commit = { at: number; tree: string; sha: string; id: string };
export type Evidence = {
  kill: Kill;
  isOver: boolean;
  clears: string[]; // the sessions that /clear began
  prompts: string[];
  marks: string[]; // of prompts and orders that arrived
  commits: Commit[];
  records: HandoffRecord[];
  events: Event[];
  report: string;
  own: string[]; // the user's files and index, as they should be
  ends: string[]; // workers whose end is in the watchdog's book
};

export function evidenceOf(left: Left, kill: Kill, isOver: boolean): Evidence {
  const receipts = receiptsOf(left);
  const prompts = receipts.flatMap(each => (each.event === 'UserPromptSubmit' ? [each.payload?.prompt ?? ''] : []));
  const log = left.git('log', '--all', '--format=%ct %T %H %B');
  return {
    kill,
    isOver,
    prompts,
    clears: receipts.flatMap(({ event, payload, session_id }) =>
      event === 'SessionStart' && payload?.source === 'clear' ? [payload.session_id ?? session_id ?? ''] : [],
    ),
    marks: [
      ...prompts.flatMap(prompt => /Baton-Message: (\S+)/.exec(prompt)?.[1]?.replace('/', '.') ?? []),
      ...receipts.flatMap(({ ordered }) => ordered ?? []),
    ],
    commits: [...log.matchAll(/^(\d{10}) (\w+) (\w+) docs: orch[\s\S]*?^Handoff-Id: (\S+)$/gm)].map(
      ([, at, tree, sha, id]) => ({ at: Number(at) * 1000, tree: tree!, sha: sha!, id: id! }),
    ),
    records: left.records(),
    events: left.events(),
    report: left.read('fleet', 'ws', 'execution_report.json'),
    own: [left.read('repo', 'mine.txt'), left.read('repo', 'staged.txt'), left.git('diff', '--cached', '--name-only')],
    ends: endsIn(left.read('state', 'watchdog', 'workers.json')),
  };
}

function receiptsOf(left: Left): Noted[] {
  const folder = left.at('fleet', 'ws', '.baton', 'claude');
  if (!existsSync(folder)) return [];
  return readdirSync(folder).flatMap(name =>
    left
      .read('fleet', 'ws', '.baton', 'claude', name, 'receipts.ndjson')
      .split('\n')
      .slice(0, -1)
      .map(line => JSON.parse(line) as Noted),
  );
}

const endsIn = (book: string): string[] =>
  book === ''
    ? []
    : (JSON.parse(book).events as { name: string; is_end: boolean }[]).flatMap(e => (e.is_end ? [e.name] : []));

const twice = (items: readonly string[]): string[] => [
  ...new Set(items.filter((item, at) => items.indexOf(item) !== at)),
];
const isOurs = (prompt: string): boolean =>
  /^(Please hand over|The handoff document|There was more work|The last request|You go on)[\s\S]*\nBaton-Message: \S+$/.test(
    prompt.trimEnd(),
  );
const isEngines = (prompt: string): boolean =>
  /^(Task: |Baton looked|The last request|You go on)[\s\S]*Result file: /.test(prompt);

// What may come of a killed watchdog beside `closed`, by where it died. While it is dead its lease is nobody's and the
// engine may speak. A session that is cleared and not yet told to go on is then told its task by the engine, which
// fills it at once: futile. One that was told to go on does its work and leaves: gone.
const UNTOLD = ['clearing:effect', 'clearing:proof', 'resuming:before', 'resuming:proof'];
const TOLD = ['resuming:effect', 'settling:before', 'settling:proof', 'ended:before'];

export function mayEnd({ victim, at }: Kill): string[] {
  if (victim === 'engine') return ['closed'];
  if (victim === 'watchdog')
    return ['closed', ...(UNTOLD.includes(at) ? ['futile'] : []), ...(TOLD.includes(at) ? ['agent_gone'] : [])];
  // Its session died: the handoff ends with it, or goes on with the same one where the engine took it up again.
  return ['closed', 'agent_gone', 'session_changed'];
}

export const checks: Record<string, (left: Evidence) => string[]> = {
  'I1 no clear without a reachable commit': ({ clears, commits, records }) => [
    ...(clears.length > new Set(commits.map(({ id }) => id)).size
      ? [`${clears.length} clears with ${commits.length} handoffs committed`]
      : []),
    ...records.flatMap(({ id, session_after, commit, steps }) => {
      if (session_after === null) return [];
      const found = commits.filter(each => each.id === id);
      if (!found.some(({ sha }) => sha === commit?.sha)) return [`${id} cleared, and its commit is not reachable`];
      const first = Math.min(...found.map(({ at }) => at));
      return steps.cleared !== undefined && first > Date.parse(steps.cleared) ? [`${id} cleared before its commit`] : [];
    }),
  ],
  'I2 at most one clear for each handoff': ({ clears, records, isOver }) => {
    const most = isOver ? records.length : Math.max(1, records.length);
    const known = new Set(records.map(({ session_after }) => session_after));
    const strangers = clears.filter(session => !known.has(session)).length;
    const open = records.filter(({ session_after }) => session_after === null).length;
    return clears.length > most || (isOver && strangers > open)
      ? [`${clears.length} clears, ${records.length} handoffs`]
      : [];
  },
  // What a key does in a pane that is not what it was taken for: a text nobody meant, or half of one, is submitted.
  'I3 no key into an unproven pane': ({ prompts }) =>
    prompts
      .filter(prompt => !isOurs(prompt) && !isEngines(prompt) && !prompt.includes(DRAFT))
      .map(prompt => `"${prompt.slice(0, 60)}" was submitted`),
  'I4 only the holder of the lease acts': ({ kill, records, events }) =>
    kill.victim === 'watchdog'
      ? [] // dead, it holds nothing
      : records.flatMap(({ id, steps, ended_at }) =>
          events
            .filter(
              ({ type, data, time }) =>
                type === 'prompt_submitted' &&
                ['task', 'nudge', 'again'].includes((data as { purpose: string }).purpose) &&
                steps.quiet !== undefined &&
                time > steps.quiet &&
                time < ended_at,
            )
            .map(({ time }) => `the engine spoke at ${time}, in the middle of ${id}`),
        ),
  'I5 one end for each attempt, and a whole report': ({ kill, isOver, events, report }) => [
    ...twice(
      events.flatMap(({ type, agent, data }) => (type === 'attempt_ended' ? [`${agent} ${Reflect.get(data, 'attempt')}`] : [])),
    ).map(attempt => `attempt ${attempt} ended twice`),
    ...(report !== '' && !isReport(report) ? ['the report is not whole'] : []),
    ...(isOver && report === '' && kill.victim !== 'tmux' ? ['there is no report'] : []),
  ],
  'I6 a draft is never touched': ({ prompts }) =>
    prompts.filter(prompt => prompt.includes(DRAFT)).map(() => 'the draft was submitted'),
  'I7 no byte is lost': ({ own: [mine, staged, index] }) => [
    ...(mine === MINE && staged === MINE ? [] : ['files of the user changed']),
    ...(index === 'staged.txt' ? [] : [`the index has "${index}"`]),
  ],
  'I10 nothing is said or committed twice': ({ marks, commits }) => [
    ...twice(marks).map(mark => `${mark} said twice`),
    // A document that others' work made too old is brought up to date and committed again: the same bytes are not.
    ...twice(commits.map(({ tree, id }) => `${tree} ${id}`)).map(each => `${each.split(' ')[1]} committed twice`),
  ],
  'I11 it ends under a name its kill explains': ({ kill, isOver, records, clears, commits }) =>
    !isOver
      ? []
      : [
          ...(records.length === 0 ? ['there is no record'] : []),
          ...records
            .filter(({ outcome }) => !mayEnd(kill).includes(outcome))
            .map(({ id, outcome, why }) => `${id} ended as ${outcome} (${why})`),
          ...(kill.victim === 'engine' && (clears.length !== 1 || commits.length !== 1)
            ? [`${clears.length} clears and ${commits.length} commits of a whole cycle`]
            : []),
        ],
  'I14 no end of a worker is lost': ({ isOver, events, ends }) =>
    !isOver
      ? []
      : [...new Set(events.flatMap(({ type, agent }) => (type === 'attempt_ended' ? [`${agent} of fleet`] : [])))]
          .filter(name => !ends.includes(name))
          .map(name => `the end of ${name} is not in the book`),
}; // biome-ignore format: a table

function isReport(text: string): boolean {
  try {
    return ExecutionReport.safeParse(JSON.parse(text)).success;
  } catch {
    return false;
  }
}

// Every violation, as a sentence; empty: all invariants hold.
export const violations = (left: Left, kill: Kill, isOver: boolean): string[] =>
  Object.entries(checks).flatMap(([name, check]) =>
    check(evidenceOf(left, kill, isOver)).map(found => `${name}: ${found}`),
  );
