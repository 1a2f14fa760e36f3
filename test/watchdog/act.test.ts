// The watchdog's deeds on a pane that does not do as expected: what is told as "nothing was sent" is proven.

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { leaseFor } from '../../src/claude/pane-lease.ts';
import type { SessionEar, Turn } from '../../src/claude/session-ear.ts';
import { heardNothing } from '../../src/conversation/heard.ts';
import { begin } from '../../src/handoff/handoff-state.ts';
import type { Effect, HandoffState } from '../../src/handoff/handoff-types.ts';
import { readScreen } from '../../src/screen/read-screen.ts';
import { openPane, type PaneDoor, type PaneView } from '../../src/tmux/pane-door.ts';
import { act, type Hands } from '../../watchdog/act.ts';
import { look } from '../../watchdog/look.ts';
import { simRules } from '../handoff/sim-world.ts';

const folder = mkdtempSync('/tmp/ba-');
const before = process.env.PATH;
afterEach(() => {
  process.env.PATH = before;
  rmSync(folder, { recursive: true, force: true });
});

const screen = (name: string) =>
  readFileSync(new URL(`../fixtures/screens/2.1.326/${name}.80x24.default.txt`, import.meta.url), 'utf8');
const WORKING = screen('busy-streaming');

const view = (more: Partial<PaneView> = {}): PaneView => ({
  text: WORKING,
  width: 80,
  height: 24,
  isInMode: false,
  isDead: false,
  pid: 1,
  holder: null,
  lease: leaseFor('h1'),
  session: '$1',
  watchers: 0,
  keyAt: 0,
  cursor: { x: 0, y: 0 },
  typed: null,
  ...more,
});

type Given = { seen?: Partial<PaneView>; press?: PaneDoor['press']; sessionId?: string; turns?: Turn[] };

function handsOn({ seen, press, sessionId = 's1', turns = [] }: Given) {
  const pressed: string[] = [];
  const door: PaneDoor = {
    identity: { socket: '/nowhere', pane: '%1', pid: 1 },
    look: async () => view(seen),
    paste: async () => 'sent',
    type: async () => 'sent',
    press: async key => {
      pressed.push(key);
      return press === undefined ? 'sent' : press(key);
    },
    wipe: async () => 'sent',
    forgetTyped: async () => true,
    hold: async () => true,
    setLease: async () => true,
    lastKeyAt: async () => null,
  };
  const heard = { ...heardNothing(0), sessionId, isOpen: true };
  const ear = { state: () => heard, turns: () => turns, isTurnOpen: () => true, transcript: () => null };
  const hands = {
    pane: { folder: '/tmp', channel: null, contract: null, identity: door.identity, name: 'a' },
    door,
    ear: ear as unknown as SessionEar,
    rules: simRules(true),
    ownRepository: path.join(folder, 'own.git'),
    still: { text: '', since: 0 },
    say: () => {},
    signal: new AbortController().signal,
  } as unknown as Hands;
  return { hands, pressed };
}

const { handoff } = begin(
  { id: 'h1', pane: 'a', reason: 'context threshold', sessionId: 's1', tokensBefore: 120_000 },
  0,
) as Extract<HandoffState, { name: 'observed' }>;
const quiet = {
  name: 'quiet',
  isHard: true,
  interrupts: 0,
  handoff,
  lastAt: 0,
  waitedMs: 0,
  blindMs: 0,
  alerted: false,
} as const;
const esc: Effect = { do: 'interrupt', sessionId: 's1' };

test('an error after a key was sent is never told as "nothing was sent"', async () => {
  const { hands, pressed } = handsOn({
    press: async () => {
      throw new Error('EMFILE');
    },
  });
  expect(await act(hands, esc, quiet)).toEqual({ did: 'unsure', why: 'EMFILE' });
  expect(pressed).toEqual(['Escape']);
});

test('a key that tmux refused was not sent, one without an answer may have been', async () => {
  const answers = { sent: 'unsure', unsure: 'unsure', nothing: 'nothing' } as const;
  for (const [sent, did] of Object.entries(answers))
    expect(await act(handsOn({ press: async () => sent as 'sent' }).hands, esc, quiet)).toMatchObject({ did });
});

test('Esc is pressed only while lease, session, holder and mode are what they were', async () => {
  const others: Given[] = [
    { seen: { lease: leaseFor('h2') } },
    { seen: { lease: null } },
    { sessionId: 's2' },
    { seen: { holder: 'somebody' } },
    { seen: { isInMode: true } },
    { seen: { text: screen('busy-with-draft') } },
    { seen: { text: screen('permission-bash') } },
    { seen: { text: screen('idle-after-clear') } },
  ];
  for (const other of others) {
    const { hands, pressed } = handsOn(other);
    expect(await act(hands, esc, quiet), JSON.stringify(other).slice(0, 60)).toMatchObject({ did: 'nothing' });
    expect(pressed).toEqual([]);
  }
  const { hands, pressed } = handsOn({});
  await act(hands, esc, quiet);
  expect(pressed).toEqual(['Escape']);
});

const clearing = { ...quiet, name: 'clearing', submits: 1, handoff: { ...handoff, otherPrompts: 1 } } as const;
const turn = (prompt: string): Turn => ({ prompt, isOrder: false, isEnded: true });

test('a /clear that the model got as plain text is seen, an older one is not taken for it', async () => {
  const said = async (...prompts: string[]) =>
    (await look(handsOn({ turns: prompts.map(turn) }).hands, clearing))?.said;
  expect(await said('work', '/clear ')).toBe('ended');
  expect(await said('/clear')).toBe('no');
  expect(await said('work', 'Baton-Message: h1/1\n/clear')).toBe('no');
});

const noted = (text: string) => ({ text, lines: 0, at: Date.now() });

test('only a /clear that Baton typed, whole and alone, is ours', async () => {
  const menu = screen('slash-menu-clear');
  const box = async (text: string, typed: PaneView['typed'], state: HandoffState = clearing) =>
    look(handsOn({ seen: { text, typed } }).hands, state);
  expect(await box(menu, noted('/clear'))).toMatchObject({ box: 'ours' });
  expect((await box(menu, noted('/clear')))?.blockers).not.toContain('dialog');
  expect(await box(menu, null)).toMatchObject({ box: 'other' });
  expect((await box(menu, null))?.blockers).toContain('dialog');
  expect(await box(menu.replace('/clear', '/clear now'), noted('/clear'))).toMatchObject({ box: 'other' });
});

test('a text in the box is ours only once it was typed', async () => {
  const text = screen('busy-with-draft');
  const draft = readScreen(text, { width: 80, height: 24 }).draft!;
  const at = (tries: number): HandoffState => ({
    ...{ ...quiet, name: 'asking', purpose: 'handoff', text: draft, mark: 'h1/1', submits: 0, tries },
  });
  const box = async (tries: number, typed: PaneView['typed']) =>
    (await look(handsOn({ seen: { text, typed } }).hands, at(tries)))?.box;
  expect(await box(1, noted(draft))).toBe('ours');
  expect(await box(0, null)).toBe('other');
  expect(await box(1, null)).toBe('other');
});

// A tmux of ours in the path: what its answer is, and how it ends.
async function pressThrough(script: string) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'tmux'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  process.env.PATH = `${folder}:${before}`;
  return openPane({ socket: path.join(folder, 's'), pane: '%1', pid: 1 }).press('Enter');
}

test('a tmux client that is killed says nothing about its key; one that finds no pane or server does', async () => {
  expect(await pressThrough('kill -9 $$')).toBe('unsure');
  expect(await pressThrough('exit 1')).toBe('unsure');
  expect(await pressThrough('echo baton-sent')).toBe('sent');
  expect(await pressThrough('echo baton-refused')).toBe('nothing');
  expect(await pressThrough('echo "can\'t find pane: %1" >&2; exit 1')).toBe('nothing');
  process.env.PATH = before;
  expect(await openPane({ socket: path.join(folder, 'none'), pane: '%1', pid: 1 }).press('Enter')).toBe('nothing');
});
