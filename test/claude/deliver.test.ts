// Prompts to the real Claude Code in a real pane: what was sent is what the model got, once.

import { createHash } from 'node:crypto';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { boxText, deliver } from '../../src/claude/deliver.ts';
import { type Practice, startPractice } from '../../src/practice/start-practice.ts';
import { readScreen } from '../../src/screen/read-screen.ts';
import { watchScreen } from '../../src/tmux/attach-pty.ts';
import type { PaneView } from '../../src/tmux/pane-door.ts';
import { size } from '../test-size.ts';
import { openSession, type Session } from './open-session.ts';

const DELIVERIES = size(12, 200);

const lines = (bytes: number) =>
  Array.from({ length: bytes / 100 }, (_, at) => `line ${at} ${'y'.repeat(92)}`).join('\n');
const kinds: ((n: number) => string)[] = [
  n => `sixty bytes of a prompt that is neither long nor short, ${n}.`,
  n => `${n} ${lines(2000)}`,
  n => `${n} ${lines(20_000)}`,
  n => `a "quoted" 'text' number ${n}; with $HOME \`x\` \\ and; #{pane_id} ;`,
  n => `-n ${n} begins with a dash`,
  n => `emoji 😀 👩‍👩‍👧 ünï ${n}\nsecond line`,
  n => `a tab\there ${n}\n\tand\tthere`,
  n => `${n} ${'word '.repeat(400)}`,
  n => `several\n\n\nlines ${n}\n1. one\n2. two\n3. three`,
  n => `1`.repeat(3) + n,
  n => `  spaces around ${n}  `,
  n => `@file ${n} C-c Enter Escape \\n \\x1b[200~ ;`,
];

const hash = (text: string) => createHash('sha256').update(text).digest('hex');

async function withSession(
  script: string,
  env: Record<string, string>,
  work: (session: Session, practice: Practice) => Promise<void>,
) {
  const practice = await startPractice({ script });
  const session = await openSession(practice.url, env);
  try {
    await work(session, practice);
  } finally {
    session.end();
    await practice.close();
  }
}

// tmux tells a session that it has the focus when a client comes, and that it lost it when the last one leaves.
test('a session that somebody looked at and left draws no cursor, and takes prompts all the same', () =>
  withSession('agent', {}, async ({ pane, ear }) => {
    expect((await deliver(pane, ear, 'first', { waitMs: 15_000 })).outcome).toBe('submitted');
    const leave = watchScreen(pane.identity.socket, pane.identity.pane, () => {});
    await until(async () => ((await pane.look())?.watchers ?? 0) > 0);
    leave();
    const view = await until(async () => {
      const now = await pane.look();
      return now !== null && now.watchers === 0 && readScreen(now.text, now).state === 'idle' ? now : null;
    });
    expect((await pane.type('a draft')) && (await until(async () => draftOf(await pane.look())))).toBe('a draft');
    await pane.wipe();
    await until(async () => draftOf(await pane.look()) === null);
    expect(readScreen(view.text, { width: view.width, height: view.height }).state).toBe('unknown');
    expect((await deliver(pane, ear, 'second', { waitMs: 15_000 })).outcome).toBe('submitted');
  }));

const draftOf = (view: PaneView | null) => (view === null ? null : readScreen(view.text, view).draft);

async function until<T>(look: () => Promise<T | null | false>): Promise<T> {
  for (const end = performance.now() + 20_000; performance.now() < end; ) {
    const seen = await look();
    if (seen !== null && seen !== false) return seen;
    await sleep(50);
  }
  throw new Error('not after 20 s');
}

test(
  `${DELIVERIES} deliveries have ${DELIVERIES} receipts, arrive as they were sent, and none twice`,
  { timeout: DELIVERIES * 5000 },
  () =>
    withSession('agent', {}, async ({ pane, ear }, practice) => {
      const sent: string[] = [];
      for (let n = 0; n < DELIVERIES; n += 1) {
        const text = kinds[n % kinds.length]!(n);
        const said = await deliver(pane, ear, text, { waitMs: 15_000 });
        expect(said, text.slice(0, 60)).toMatchObject({
          outcome: 'submitted',
          proof: expect.stringMatching(/^(receipt|transcript)$/), // whichever is seen first
          session_id: ear.state().sessionId,
        });
        sent.push(hash(boxText(text)));
      }
      await expect.poll(() => ear.isTurnOpen(), { timeout: 10_000 }).toBe(false);
      const got = practice.requests().filter(({ kind }) => kind === 'prompt');
      expect(got.map(({ sha256 }) => sha256)).toEqual(sent);
    }),
);

test('nothing is typed where it does not belong: commands, control characters, a draft, a busy pane, a held one', () =>
  withSession('puppet', {}, async ({ pane, ear }, practice) => {
    const say = (text: string, waitMs = 0) => deliver(pane, ear, text, { waitMs });
    for (const text of ['/clear', '!touch x', '# note', '', '\u001b[201~rm', 'a\u0003b'])
      expect(await say(text)).toMatchObject({ outcome: 'refused', state: 'text' });
    await pane.type('a draft of mine');
    await expect
      .poll(async () => readScreen((await pane.look())!.text).draft, { timeout: 10_000 })
      .toBe('a draft of mine');
    expect(await say('hello')).toMatchObject({ outcome: 'refused', state: 'draft' });
    await pane.press('Enter');
    await expect.poll(() => practice.requests().length).toBe(1);
    await pane.hold('a tester');
    expect(await say('hello')).toMatchObject({ outcome: 'refused', state: 'held' });
    await pane.hold(null);
    expect(await say('slow 4', 10_000)).toMatchObject({ outcome: 'submitted' });
    expect(await say('hello')).toMatchObject({ outcome: 'refused', state: 'busy' });
    expect(await say('say waited', 15_000)).toMatchObject({ outcome: 'submitted' });
    await expect.poll(() => ear.isTurnOpen(), { timeout: 10_000 }).toBe(false);
    const texts = practice
      .requests()
      .filter(({ kind }) => kind === 'prompt')
      .map(({ text }) => text);
    expect(texts).toEqual(['a draft of mine', 'slow 4', 'say waited']);
  }));

test('a prompt meets no dialog: it is refused, and the command there is not run', () =>
  withSession('puppet', {}, async ({ pane, ear, folder }, practice) => {
    expect(await deliver(pane, ear, 'run git init -q repo', { waitMs: 10_000 })).toMatchObject({
      outcome: 'submitted',
    });
    await expect.poll(() => ear.permission() !== null, { timeout: 10_000 }).toBe(true);
    await expect
      .poll(() => deliver(pane, ear, 'yes', { waitMs: 0 }), { timeout: 10_000 })
      .toMatchObject({ outcome: 'refused', state: 'permission' });
    expect(ear.isTurnOpen()).toBe(true);
    expect(existsSync(path.join(folder, 'work/repo'))).toBe(false);
    expect(practice.requests().filter(({ kind }) => kind === 'prompt')).toHaveLength(1);
  }));

test('compaction is held back as long as the block file is there, and only so long', () =>
  withSession('puppet', { CLAUDE_CODE_AUTO_COMPACT_WINDOW: '100000' }, async ({ pane, ear, folder }, practice) => {
    const say = (text: string) => deliver(pane, ear, text, { waitMs: 15_000 });
    const block = path.join(folder, 'block');
    const compactions = () => practice.requests().filter(({ kind }) => kind === 'compact').length;
    writeFileSync(block, `${process.pid}\n`);
    for (const text of ['context 80000', 'context 81000', 'say still whole'])
      expect(await say(text)).toMatchObject({ outcome: 'submitted' });
    await expect.poll(() => ear.isTurnOpen(), { timeout: 10_000 }).toBe(false);
    expect(ear.state().compactions).toBe(0);
    expect(compactions()).toBe(0);
    rmSync(block);
    expect(await say('context 82000')).toMatchObject({ outcome: 'submitted' });
    expect(await say('say compacted')).toMatchObject({ outcome: 'submitted' });
    await expect.poll(() => ear.isTurnOpen(), { timeout: 10_000 }).toBe(false);
    expect(ear.state().compactions).toBeGreaterThan(0);
    expect(compactions()).toBeGreaterThan(0);
  }));
