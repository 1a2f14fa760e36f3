// What a handoff that waits costs: how many processes its looks start, and that the proof before /clear is never old.

import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import type { SessionEar } from '../../src/claude/session-ear.ts';
import { heardNothing } from '../../src/conversation/heard.ts';
import { begin } from '../../src/handoff/handoff-state.ts';
import type { HandoffState, Rules } from '../../src/handoff/handoff-types.ts';
import { pollOf, waiting } from '../../src/handoff/turns.ts';
import type { PaneDoor } from '../../src/tmux/pane-door.ts';
import { askSeldom } from '../../watchdog/ask-seldom.ts';
import { look, type Senses } from '../../watchdog/look.ts';
import type { WatchedPane } from '../../watchdog/watched-pane.ts';
import { tempFolder } from '../files/temp-folder.ts';
import { simRules } from '../handoff/sim-world.ts';

afterEach(() => vi.unstubAllEnvs());

const { handoff } = begin({ id: 'h1', pane: 'a', reason: 'manual', sessionId: 's1', tokensBefore: null }, 0);
const inState = (name: string): HandoffState => ({ name, submits: 0, ...waiting(handoff, 0) }) as HandoffState;

function world(more: Partial<Rules> = {}) {
  const folder = tempFolder();
  const at = (...parts: string[]) => path.join(folder, ...parts);
  mkdirSync(at('work', 'docs'), { recursive: true });
  mkdirSync(at('bin'));
  const git = (...args: string[]) => execFileSync('git', args, { cwd: at('work'), encoding: 'utf8' });
  git('init', '-q', '-b', 'main');
  git('config', 'user.name', 'Tester');
  git('config', 'user.email', 'tester@localhost');
  writeFileSync(at('work', 'docs', 'HANDOFF.md'), '# Handoff\n\nHandoff-Id: h1\n');
  git('commit', '-q', '--allow-empty', '-m', 'Begin');
  // Every git of the looks is counted on its way.
  const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
  writeFileSync(at('bin', 'git'), `#!/bin/sh\necho x >> '${at('calls')}'\nexec '${real}' "$@"\n`);
  chmodSync(at('bin', 'git'), 0o755);
  vi.stubEnv('PATH', `${at('bin')}:${process.env.PATH}`);

  let keysAsked = 0;
  const screen = { text: 'something', width: 80, height: 24, isInMode: false, isDead: false, pid: 1, holder: null };
  const door = {
    identity: { socket: at('none'), pane: '%1', pid: 1 },
    look: async () => ({ ...screen, lease: null, session: '$0', watchers: 1, typed: null }),
    lastKeyAt: async () => {
      keysAsked += 1;
      return null;
    },
  } as unknown as PaneDoor;
  const heard = { ...heardNothing(0), sessionId: 's1', isOpen: true };
  const ear = { state: () => heard, turns: () => [], isTurnOpen: () => true, transcript: () => null };
  const senses: Senses = {
    pane: { folder: at('work'), channel: null, contract: null, identity: door.identity } as unknown as WatchedPane,
    door,
    ear: ear as unknown as SessionEar,
    rules: {
      ...simRules(true),
      documentPath: at('work', 'docs', 'HANDOFF.md'),
      templatePath: at('work', 'docs', 'HANDOFF-template.md'),
      archiveDir: at('work', 'docs', 'HANDOFF-archive'),
      ...more,
    },
    ownRepository: at('own.git'),
    still: { text: '', since: 0 },
    asked: { saved: askSeldom(), proof: askSeldom() },
  };
  return {
    git,
    lookOnce: (name: string) => look(senses, inState(name)),
    calls: () => (existsSync(at('calls')) ? readFileSync(at('calls'), 'utf8').trim().split('\n').length : 0),
    keysAsked: () => keysAsked,
  };
}

test.each(['quiet', 'awaiting_commit', 'committed', 'writing'])(
  'twenty looks in "%s" start no more git than one',
  async name => {
    const { lookOnce, calls } = world();
    await lookOnce(name);
    const once = calls();
    expect(once).toBeGreaterThan(0);
    const begun = performance.now();
    for (let n = 0; n < 20; n += 1) await lookOnce(name);
    // On a slow machine the answers grow old meanwhile, and are asked for anew.
    const renewals = Math.floor((performance.now() - begun) / 2000) + 1;
    expect(calls()).toBeLessThanOrEqual(once * renewals);
  },
);

test('before /clear the commit is proven anew, whatever was said a moment ago', async () => {
  const { git, lookOnce } = world();
  expect((await lookOnce('awaiting_commit'))?.commit).toBeNull();
  git('add', '.');
  git('commit', '-q', '-m', 'docs: handoff\n\nHandoff-Id: h1');
  const sha = git('rev-parse', 'HEAD').trim();
  expect((await lookOnce('clearing'))?.commit?.sha).toBe(sha);
  git('update-ref', 'refs/heads/main', 'HEAD~1');
  expect((await lookOnce('clearing'))?.commit).toBeNull();
});

test('who is at the keys is asked only where a key could follow', async () => {
  const busy = world();
  await busy.lookOnce('quiet');
  expect(busy.keysAsked()).toBe(0);
  const interrupting = world({ interruptTurns: true });
  await interrupting.lookOnce('quiet');
  expect(interrupting.keysAsked()).toBe(1);
});

test('what waits for long is looked at less often, and often enough for its limits', () => {
  const limits = { ...simRules(true).limits, pollMs: 400, maxGapMs: 4000 };
  const waited = (waitedMs: number) => pollOf({ ...inState('awaiting_commit'), waitedMs } as HandoffState, limits);
  expect([waited(0), waited(29_999), waited(30_000), waited(86_000_000)]).toEqual([400, 400, 2000, 2000]);
});
