// A user's own tmux with Claude Code in it, on the practice model, and the command line beside it. Nothing of Baton
// is in these panes but what `baton adopt` brings.

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { practiceEnvironment, seedPracticeHome } from '../../src/practice/practice-home.ts';
import { startPractice } from '../../src/practice/start-practice.ts';
import type { HandoffRecord, WatchdogStatus } from '../../src/protocol/handoff.ts';
import { paneKey } from '../../src/watching/watchdog-places.ts';
import { makeCliWorld, until } from '../cli/cli-world.ts';

export const claude = fileURLToPath(new URL('../../node_modules/.bin/claude', import.meta.url));

export type AdoptOptions = {
  script: Parameters<typeof startPractice>[0]['script'];
  set?: Record<string, number>;
  projects: readonly string[];
};

export async function makeAdoptWorld({ script, set, projects }: AdoptOptions) {
  const world = makeCliWorld();
  const { at } = world;
  const socket = at('user.sock');
  const practice = await startPractice({ script, ...(set === undefined ? {} : { set }) });
  for (const name of projects) mkdirSync(at(name));
  await seedPracticeHome(at('config'), { trusted: projects.map(name => at(name)) });
  Object.assign(world.env, practiceEnvironment(practice.url, at('config')));

  const tmux = (...args: string[]) =>
    execFileSync('tmux', ['-S', socket, '-f', '/dev/null', '-u', ...args], { encoding: 'utf8' }).trim();
  const screen = (pane: string) => tmux('capture-pane', '-p', '-t', pane);
  const shows = (pane: string, what: RegExp) =>
    until(
      () => what.test(screen(pane)),
      () => screen(pane),
    );

  // As a user has it: a shell, and claude started in it.
  async function openClaude(project: string): Promise<string> {
    const variables = Object.entries(world.env).flatMap(([name, value]) => ['-e', `${name}=${value}`]);
    const where = ['-x', '120', '-y', '40', '-c', at(project), ...variables];
    const pane = tmux('new-session', '-d', ...where, '-P', '-F', '#{pane_id}', '--', '/bin/sh');
    tmux('send-keys', '-t', pane, claude, 'Enter');
    await shows(pane, /auto mode|shift\+tab/);
    return pane;
  }

  async function say(pane: string, text: string, answer: RegExp): Promise<void> {
    tmux('send-keys', '-t', pane, '-l', text);
    await until(
      () => screen(pane).includes(text),
      () => screen(pane),
    );
    tmux('send-keys', '-t', pane, 'Enter');
    await shows(pane, answer);
  }

  const readState = (...parts: string[]) => JSON.parse(readFileSync(at('state', 'watchdog', ...parts), 'utf8'));
  return {
    ...world,
    socket,
    practice,
    tmux,
    screen,
    shows,
    openClaude,
    say,
    adopt: (...args: string[]) => world.run('adopt', ...args, '--socket', socket),
    release: (...args: string[]) => world.run('release', ...args, '--socket', socket),
    handoff: (...args: string[]) => world.run('handoff', ...args, '--socket', socket),
    // What its hooks write to.
    channel: (pane: string) => at('state', 'watchdog', 'panes', paneKey(socket, pane)),
    health: (): WatchdogStatus => readState('status.json'),
    records: (): HandoffRecord[] => list(at('state', 'watchdog', 'handoffs')).map(name => readState('handoffs', name)),
    log: () => readFileSync(at('state', 'watchdog', 'watchdog.log'), 'utf8'),
    // A repository with one commit, and the settings of its handoffs.
    project(name: string, settings: Record<string, unknown> = {}) {
      const git = (...args: string[]) => execFileSync('git', args, { cwd: at(name), encoding: 'utf8' }).trim();
      git('init', '-q', '-b', 'main');
      git('config', 'user.name', 'Tester');
      git('config', 'user.email', 'tester@localhost');
      writeFileSync(at(name, 'baton.json'), JSON.stringify(settings));
      git('add', '.');
      git('commit', '-q', '-m', 'Begin');
      return git;
    },
    async close() {
      await world.run('watchdog', 'stop');
      spawnSync('tmux', ['-S', socket, 'kill-server']);
      await practice.close();
      world.end();
    },
  };
}

export type AdoptWorld = Awaited<ReturnType<typeof makeAdoptWorld>>;

function list(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter(name => name.endsWith('.json'))
      .sort();
  } catch {
    return [];
  }
}
