// One kill: an engine with a real Claude Code agent, a watchdog that freezes at one point of its handoff's journal,
// whoever is to die killed there with -9, everything started again, and the invariants (fault-checks.ts) asked of what is left.

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { claudePid } from '../claude/open-session.ts';
import { until } from '../cli/cli-world.ts';
import { DRAFT, type Kill, MINE, type Victim, violations } from './fault-checks.ts';
import { makeFleet } from './fleet-world.ts';

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

type Fleet = Awaited<ReturnType<typeof makeFleet>>;

const stateOf = (pid: number): string =>
  existsSync(`/proc/${pid}/stat`) ? (/\) (\S)/.exec(readFileSync(`/proc/${pid}/stat`, 'latin1'))?.[1] ?? '') : '';

// Every violation, as a sentence; empty: all invariants hold.
export async function runKill(kill: Kill): Promise<string[]> {
  const fleet = await makeFleet(['g1'], { growMs: 600 });
  let frozen: number | null = null;
  try {
    for (const name of ['mine.txt', 'staged.txt']) writeFileSync(fleet.at('repo', name), MINE);
    fleet.git('add', 'staged.txt');
    const dog = fleet.start(['watchdog', 'run'], { BATON_FAULT_AT: kill.at });
    await until(() => existsSync(fleet.at('run', 'watchdog.sock')), 'the watchdog', 60_000);
    const pid = JSON.parse(readFileSync(fleet.at('run', 'watchdog.lock.json'), 'utf8')).pid as number;
    frozen = pid;
    const engine = fleet.run();
    await until(
      () => stateOf(pid) === 'T',
      () => `it never came to ${kill.at}\n${fleet.log()}\n${dog.said.stdout}\n${engine.said.stderr}`,
      120_000,
    );
    const early = violations(fleet, kill, false);
    const pane = paneOf(fleet);
    if (kill.draft) pane?.keys('-l', DRAFT);
    const victim = victimPid(kill.victim, pid, engine.child.pid!, pane);
    if (victim !== null) process.kill(victim, 'SIGKILL');
    if (kill.victim === 'watchdog') {
      await until(() => ['', 'Z'].includes(stateOf(pid)), 'its death', 5000);
      await fleet.baton('watchdog', 'start');
    } else process.kill(pid, 'SIGCONT');
    const drafted = kill.draft && pane !== null ? await keepsDraft(pane) : [];
    await until(
      () => fleet.records().length > 0,
      () => `no record\n${fleet.log()}\n${dog.said.stdout}`,
      120_000,
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
    // The book is written at the watchdog's next look.
    const isTold = () => !violations(fleet, kill, true).some(found => found.startsWith('I14'));
    await until(isTold, 'the end in the book', 20_000).catch(() => {});
    return [...early, ...drafted, ...late, ...violations(fleet, kill, true)];
  } finally {
    // Frozen, it could not be told to end.
    if (frozen !== null && stateOf(frozen) === 'T') process.kill(frozen, 'SIGCONT');
    await fleet.end();
  }
}

type Pane = NonNullable<ReturnType<typeof paneOf>>;

// Null: on a busy machine an agent that was told to go on may have done its work by now, and left.
function paneOf(fleet: Fleet) {
  const tmux = (...args: string[]) =>
    execFileSync('tmux', ['-S', fleet.at('run', 'tmux.sock'), ...args], { encoding: 'utf8' }).trim();
  const [id, launcher] = tmux('list-panes', '-a', '-F', '#{pane_id} #{pane_pid}').split('\n')[0]!.split(' ');
  if (!id) return null;
  return {
    server: Number(tmux('display-message', '-p', '#{pid}')),
    launcher: Number(launcher),
    keys: (...keys: string[]) => tmux('send-keys', '-t', id!, ...keys),
    text: () => tmux('capture-pane', '-p', '-t', id!),
  };
}

function victimPid(victim: Victim, watchdog: number, engine: number, pane: Pane | null): number | null {
  if (victim === 'watchdog') return watchdog;
  if (victim === 'engine') return engine;
  if (pane === null) return null;
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
