// One kill: an engine with a real Claude Code agent, a watchdog that freezes at one point of its handoff's journal,
// whoever is to die killed there with -9, everything started again, and the invariants asked of what is left.

import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { handoffEnds } from '../../src/protocol/handoff.ts';
import { claudePid } from '../claude/open-session.ts';
import { until } from '../cli/cli-world.ts';
import { makeFleet } from './fleet-world.ts';

export type Victim = 'watchdog' | 'engine' | 'claude' | 'tmux';
export type Kill = { victim: Victim; at: string; draft: boolean };

const withDeeds = ['observed', 'asking', 'committing', 'clearing', 'resuming', 'ended'];
const without = ['quiet', 'writing', 'committed', 'settling'];
const victims: Victim[] = ['watchdog', 'engine', 'claude', 'tmux'];
const points = [
  ...withDeeds.flatMap(state => ['before', 'effect', 'proof'].map(point => `${state}:${point}`)),
  ...without.flatMap(state => ['before', 'proof'].map(point => `${state}:${point}`)),
];
const DRAFTED = ['quiet:proof', 'writing:proof', 'committed:before', 'committed:proof', 'settling:proof'];

export const allKills: Kill[] = points.flatMap(at =>
  victims.map(victim => ({ victim, at, draft: victim === 'watchdog' && DRAFTED.includes(at) })),
);

const DRAFT = 'a draft of mine';
type Fleet = Awaited<ReturnType<typeof makeFleet>>;
type Noted = { event: string; ordered?: string; payload: { prompt?: string; source?: string } | null };

const stateOf = (pid: number): string =>
  existsSync(`/proc/${pid}/stat`) ? (/\) (\S)/.exec(readFileSync(`/proc/${pid}/stat`, 'latin1'))?.[1] ?? '') : '';

// Every violation, as a sentence; empty: all invariants hold.
export async function runKill(kill: Kill): Promise<string[]> {
  const fleet = await makeFleet(['g1'], { growMs: 600 });
  try {
    const dog = fleet.start(['watchdog', 'run'], { BATON_FAULT_AT: kill.at });
    await until(() => existsSync(fleet.at('run', 'watchdog.sock')), 'the watchdog', 20_000);
    const pid = JSON.parse(readFileSync(fleet.at('run', 'watchdog.lock.json'), 'utf8')).pid as number;
    const engine = fleet.run();
    await until(
      () => stateOf(pid) === 'T',
      () => `it never came to ${kill.at}\n${fleet.log()}\n${dog.said.stdout}\n${engine.said.stderr}`,
      60_000,
    );
    const early = violations(fleet, kill, false);
    const pane = paneOf(fleet);
    if (kill.draft) pane.keys('-l', DRAFT);
    process.kill(victimPid(kill.victim, pid, engine.child.pid!, pane), 'SIGKILL');
    if (kill.victim === 'watchdog') {
      await until(() => ['', 'Z'].includes(stateOf(pid)), 'its death', 5000);
      await fleet.baton('watchdog', 'start');
    } else process.kill(pid, 'SIGCONT');
    const drafted = kill.draft ? await keepsDraft(pane) : [];
    await until(
      () => fleet.records().length > 0,
      () => `no record\n${fleet.log()}\n${dog.said.stdout}`,
      90_000,
    );
    const late: string[] = [];
    if (kill.victim === 'engine') {
      await engine.ended;
      const { code, stderr } = await fleet.baton('resume', fleet.at('fleet', 'ws'));
      if (code !== 0) late.push(`resume ended with ${code}: ${stderr.slice(-400)}`);
    } else if (kill.victim === 'watchdog') {
      const { code } = await engine.ended;
      if (code !== 0)
        late.push(`the run ended with ${code}: ${engine.said.stdout.slice(-2000)}\n${fleet.log().slice(-2500)}`);
    } else {
      await fleet.baton('cancel', fleet.at('fleet', 'ws'));
      await engine.ended;
    }
    return [...early, ...drafted, ...late, ...violations(fleet, kill, true)];
  } finally {
    await fleet.end();
  }
}

type Pane = ReturnType<typeof paneOf>;

function paneOf(fleet: Fleet) {
  const tmux = (...args: string[]) =>
    execFileSync('tmux', ['-S', fleet.at('run', 'tmux.sock'), ...args], { encoding: 'utf8' }).trim();
  const [id, launcher] = tmux('list-panes', '-a', '-F', '#{pane_id} #{pane_pid}').split('\n')[0]!.split(' ');
  return {
    server: Number(tmux('display-message', '-p', '#{pid}')),
    launcher: Number(launcher),
    keys: (...keys: string[]) => tmux('send-keys', '-t', id!, ...keys),
    text: () => tmux('capture-pane', '-p', '-t', id!),
  };
}

function victimPid(victim: Victim, watchdog: number, engine: number, pane: Pane): number {
  if (victim === 'watchdog') return watchdog;
  if (victim === 'engine') return engine;
  return victim === 'tmux' ? pane.server : (claudePid(pane.launcher) ?? pane.launcher);
}

async function keepsDraft(pane: Pane): Promise<string[]> {
  for (let look = 0; look < 6; look += 1) {
    await new Promise(resolve => setTimeout(resolve, 500));
    if (!pane.text().includes(DRAFT)) return [`I6: the draft is gone: ${pane.text().slice(-400)}`];
  }
  pane.keys('C-u');
  return [];
}

function receiptsOf(fleet: Fleet): Noted[] {
  const folder = fleet.at('fleet', 'ws', '.baton', 'claude');
  if (!existsSync(folder)) return [];
  return readdirSync(folder).flatMap(name =>
    fleet
      .read('fleet', 'ws', '.baton', 'claude', name, 'receipts.ndjson')
      .split('\n')
      .slice(0, -1)
      .map(line => JSON.parse(line) as Noted),
  );
}

// What failures.md calls I1, I2, I5, I6, I10 and I11, asked of receipts, git and records.
export function violations(
  fleet: Pick<Fleet, 'at' | 'read' | 'git' | 'records'>,
  kill: Kill,
  isOver: boolean,
): string[] {
  const receipts = receiptsOf(fleet as Fleet);
  const records = fleet.records();
  const clears = receipts.filter(({ event, payload }) => event === 'SessionStart' && payload?.source === 'clear');
  const commits = [
    ...fleet
      .git('log', '--all', '--format=%ct %T %B')
      .matchAll(/(\d{10}) (\w+) docs: orch[\s\S]*?^Handoff-Id: (\S+)$/gm),
  ];
  const ids = new Set(commits.map(([, , , id]) => id!));
  const prompts = receipts.flatMap(({ event, payload }) =>
    event === 'UserPromptSubmit' ? [payload?.prompt ?? ''] : [],
  );
  const marks = [
    ...prompts.flatMap(prompt => /Baton-Message: (\S+)/.exec(prompt)?.[1]?.replace('/', '.') ?? []),
    ...receipts.flatMap(({ ordered }) => ordered ?? []),
  ];
  const found: string[] = [];
  if (clears.length > ids.size) found.push(`I1: ${clears.length} clears with ${ids.size} handoffs committed`);
  if (clears.length > Math.max(1, records.length))
    found.push(`I2: ${clears.length} clears, ${records.length} handoffs`);
  for (const [, seconds, , id] of commits) {
    const cleared = records.find(record => record.id === id)?.steps.cleared;
    if (cleared !== undefined && Number(seconds) * 1000 > Date.parse(cleared))
      found.push(`I1: ${id} cleared before its commit`);
  }
  for (const mark of new Set(marks))
    if (marks.filter(each => each === mark).length > 1) found.push(`I10: ${mark} said twice`);
  // A document that others' work made too old is brought up to date and committed again: the same bytes are not.
  const trees = new Set(commits.map(([, , tree, id]) => `${tree} ${id}`));
  if (trees.size !== commits.length) found.push(`I10: ${commits.length} commits of ${trees.size} documents`);
  if (prompts.some(prompt => prompt.includes(DRAFT))) found.push('I6: the draft was submitted');
  if (!isOver) return found;
  for (const { outcome, id } of records) if (!(outcome in handoffEnds)) found.push(`I11: ${id} ended as ${outcome}`);
  // While the watchdog is dead its lease is nobody's: the engine may speak, and the agent may finish and go.
  const may = kill.victim === 'watchdog' ? ['closed', 'finished', 'futile', 'agent_gone'] : ['closed'];
  const lives = kill.victim === 'watchdog' || kill.victim === 'engine';
  for (const { outcome, why } of records)
    if (lives && !may.includes(outcome)) found.push(`I11: its agent lived, and it ended as ${outcome} (${why})`);
  if (kill.victim === 'engine' && (clears.length !== 1 || commits.length !== 1))
    found.push(`I11: ${clears.length} clears and ${commits.length} commits of a whole cycle`);
  return found;
}
