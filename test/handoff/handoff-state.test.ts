// The decisions of a handoff, told as stories: what is seen, what is done, where it ends.

import { expect, test } from 'vitest';
import { handoffLimits } from '../../src/handoff/handoff-limits.ts';
import { begin, decide } from '../../src/handoff/handoff-state.ts';
import type { Effect, HandoffState, Outcome, Rules, Seen, SeenDocument } from '../../src/handoff/handoff-types.ts';
import { HandoffRecord } from '../../src/protocol/handoff.ts';
import { simRules } from './sim-world.ts';

const rules: Rules = { ...simRules(true), limits: handoffLimits };
const start = {
  id: 'h1',
  pane: 'agent a',
  reason: 'context threshold',
  sessionId: 's1',
  tokensBefore: 120_000,
} as const;
const commit = { sha: 'a'.repeat(40), place: 'branch', repository: '/p', why: null } as const;

const document = (more: Partial<SeenDocument> = {}): SeenDocument => ({
  hash: 'new',
  lines: 80,
  hasId: true,
  problems: [],
  isWatchdogs: false,
  isSaved: false,
  isTemplate: false,
  unfit: null,
  ...more,
});
const old = document({ hash: 'old', hasId: false, isSaved: true });

const calm: Seen = {
  at: 0,
  pane: 'here',
  lease: 'ours',
  sessionId: 's1',
  isCleared: true,
  tokens: 120_000,
  blockers: [],
  box: 'empty',
  isFull: false,
  contract: 'unmet',
  canOrder: true,
  said: 'no',
  trouble: null,
  otherPrompts: 0,
  compactions: 0,
  document: old,
  archiveNames: [],
  archiveHash: null,
  commit: null,
};

// Each scene lasts `ms`; what it changes holds on.
type Scene = Partial<Seen> & { ms?: number; outcome?: Outcome | null; hasRoom?: boolean };

function tell(scenes: Scene[], o: { rules?: Partial<Rules>; seen?: Partial<Seen> } = {}) {
  let state: HandoffState = begin(start, 0);
  let seen: Seen = { ...calm, ...o.seen };
  let at = 0;
  const deeds: Effect[] = [];
  const names: string[] = [state.name];
  for (const { ms = 2000, outcome = { did: 'done' }, hasRoom = true, ...change } of scenes) {
    seen = { ...seen, ...change };
    for (const until = at + ms; at < until; at += 2000) {
      const { next, effects } = decide(state, { ...seen, at }, { ...rules, ...o.rules }, { at, outcome, hasRoom });
      if (next.name !== names.at(-1)) names.push(next.name);
      deeds.push(...effects);
      state = next;
    }
  }
  const did = deeds.filter(one => !['alert', 'record', 'hold', 'release'].includes(one.do)).map(one => one.do);
  return { state, names, did, deeds, how: state.name === 'ended' ? state.how : null };
}

const asked: Scene[] = [{}, {}, {}]; // lease seen, quiet, said
const written: Scene[] = [...asked, { said: 'open' }, { said: 'ended', document: document() }];

test('the whole cycle: asked, written, committed, cleared, resumed, closed', () => {
  const { names, did, deeds, how } = tell([
    ...written,
    { commit, said: 'no' },
    {},
    { box: 'ours' },
    { sessionId: 's2', tokens: null, box: 'empty' },
    {},
    { said: 'open' },
    { tokens: 12_000 },
  ]);
  expect(names).toEqual([
    'observed',
    'quiet',
    'asking',
    'writing',
    'committing',
    'committed',
    'clearing',
    'resuming',
    'settling',
    'ended',
  ]);
  expect(did).toEqual(['say', 'commit', 'clear', 'submit', 'say']);
  expect(how).toBe('closed');
  const record = HandoffRecord.parse(deeds.find(one => one.do === 'record')!.record);
  expect(Object.keys(record.steps)).toEqual([
    'observed',
    'quiet',
    'asked',
    'written',
    'committed',
    'cleared',
    'resumed',
    'closed',
  ]);
  expect(record).toMatchObject({
    tokens_before: 120_000,
    tokens_after: 12_000,
    written_by: 'agent',
    commit,
    session_after: 's2',
  });
});

test('nothing is typed while anything speaks against it, however long that lasts', () => {
  for (const blocker of [
    'turn_open',
    'busy',
    'dialog',
    'draft',
    'copy_mode',
    'human',
    'background',
    'unknown',
  ] as const) {
    const { did, deeds } = tell([{ blockers: [blocker], ms: 3_600_000 }]);
    expect(did, blocker).toEqual([]);
    expect(
      deeds.filter(one => one.do === 'alert'),
      blocker,
    ).toHaveLength(1);
  }
  expect(tell([{ box: 'other', ms: 60_000 }]).did).toEqual([]);
  expect(tell([{ lease: 'other', ms: 60_000 }]).did).toEqual([]);
  expect(tell([{ pane: 'unknown', ms: 60_000 }]).did).toEqual([]);
});

test('past the hard threshold it asks without a key, and Esc needs interrupt_turns', () => {
  const hard: Partial<Seen> = { tokens: 160_000, blockers: ['turn_open'] };
  expect(tell([{ ms: 600_000 }], { seen: hard }).did).toEqual(['order']);
  expect(tell([{ ms: 600_000 }], { seen: { ...hard, canOrder: false } }).did).toEqual([]);
  expect(tell([{ ms: 600_000 }], { seen: hard, rules: { interruptTurns: true } }).did).toEqual([
    'order',
    'interrupt',
    'interrupt',
  ]);
  const withDialog = { ...hard, blockers: ['turn_open', 'dialog'] as const };
  expect(tell([{ ms: 600_000 }], { seen: withDialog, rules: { interruptTurns: true } }).did).toEqual([]);
  expect(tell(asked, { seen: { tokens: 160_000, blockers: ['background'], canOrder: false } }).did).toEqual(['say']);
});

test('a bad document is corrected once, precisely, then the watchdog writes', () => {
  const bad = document({ hash: 'bad', problems: [{ section: 'Notes', problem: 'it is empty' }] });
  const story = tell([
    ...asked,
    { said: 'open' },
    { said: 'ended', document: bad },
    { said: 'no' },
    { said: 'ended' },
    {},
  ]);
  expect(story.did).toEqual(['say', 'say', 'archive']);
  expect(story.deeds.filter(one => one.do === 'say')[1]!.text).toContain('- section "Notes": it is empty');
  expect(story.state).toMatchObject({ name: 'archiving', next: 'fallback' });
});

test('an agent that refuses, or whose context is full, gets the fallback', () => {
  expect(tell([...asked, { said: 'ended' }, { said: 'no' }, { said: 'ended' }, {}]).did).toEqual([
    'say',
    'say',
    'write_fallback',
  ]);
  expect(tell([{ isFull: true }, {}]).did).toEqual(['write_fallback']);
  expect(tell([{}, {}, { outcome: { did: 'full', why: '' } }, { outcome: { did: 'full', why: '' } }]).did).toEqual([
    'say',
    'write_fallback',
  ]);
  expect(tell([{}, {}], { seen: { tokens: 195_000 } }).did, 'no room left').toEqual(['write_fallback']);
});

test('a long or torn document is archived before it is asked for through a hook, too', () => {
  const archived = [{}, {}, { archiveHash: 'old', document: document({ hash: 't', isTemplate: true }), ms: 2000 }];
  const hard = { tokens: 160_000, blockers: ['turn_open'] as const };
  expect(tell(archived, { seen: { ...hard, document: { ...old, lines: 700 } } }).did).toEqual(['archive', 'order']);
  expect(tell([{}, {}], { seen: { ...hard, document: { ...old, flagged: 'both sides' } } }).did).toEqual(['archive']);
});

test('a long document is archived before asking, and a long new one is asked for shorter once', () => {
  const before = tell([{}, {}, { archiveHash: 'old', document: document({ hash: 't', isTemplate: true }) }], {
    seen: { document: { ...old, lines: 700 } },
  });
  expect(before.did).toEqual(['archive', 'say']);
  expect(before.deeds.find(one => one.do === 'say')!.text).toContain(
    '/p/docs/HANDOFF-archive/HANDOFF-1970-01-01-0000.md',
  );
  const long = document({ lines: 800 });
  const after = tell([
    ...asked,
    { said: 'ended', document: long },
    {},
    { archiveHash: 'new', document: document({ hash: 't', isTemplate: true }), said: 'no' },
    { said: 'ended', document: document({ hash: 'n2', lines: 800 }) },
    {},
  ]);
  expect(after.did).toEqual(['say', 'archive', 'say', 'commit']);
});

test('auto_commit false waits for the user, and goes on with their commit', () => {
  const waits = tell([...written, { ms: 600_000 }], { rules: { autoCommit: false } });
  expect(waits.state.name).toBe('awaiting_commit');
  expect(waits.did).toEqual(['say']);
  expect(tell([...written, { ms: 6000 }, { commit }, {}], { rules: { autoCommit: false } }).did).toEqual([
    'say',
    'clear',
  ]);
});

test('a commit that is lost before the clear is made again, never cleared without', () => {
  const { did } = tell([...written, { commit, blockers: ['human'] }, { commit: null, blockers: [], ms: 4000 }]);
  expect(did).toEqual(['say', 'commit', 'commit']);
});

const typed: Scene[] = [...written, { commit, said: 'no' }, {}]; // "/clear" is in the box, as far as its deed knows

test('a clear whose effect nobody saw is never sent again, also by a watchdog that was started anew', () => {
  for (const outcome of [{ did: 'unsure', why: '' }, null] as const) {
    const { did, how } = tell([...typed, { box: 'ours' }, { box: 'empty', outcome, ms: 600_000 }]);
    expect(did).toEqual(['say', 'commit', 'clear', 'submit']);
    expect(how).toBe('clear_unproven');
  }
});

// A watchdog was killed between typing and Enter, and the engine took what was left over out of the box.
test('a clear whose only Enter provably was not pressed is typed again', () => {
  const gone = { box: 'empty', outcome: { did: 'nothing', why: '' }, ms: 14_000 } as const;
  const { did } = tell([...typed, { box: 'ours' }, gone]);
  expect(did.slice(0, 5)).toEqual(['say', 'commit', 'clear', 'submit', 'clear']);
});

test('a /clear that went to the model as plain text is not sent again', () => {
  const { did, how } = tell([...typed, { box: 'ours' }, { box: 'empty', said: 'ended', otherPrompts: 1, ms: 600_000 }]);
  expect(did).toEqual(['say', 'commit', 'clear', 'submit']);
  expect(how).toBe('clear_unproven');
});

test('a /clear without Enter is typed again, one that lost its Enter gets another', () => {
  // Killed before or after the typing: nobody knows, but Enter is no part of it.
  expect(tell([...typed, { outcome: null, ms: 14_000 }]).did).toEqual(['say', 'commit', 'clear', 'clear']);
  expect(tell([...typed, { outcome: null, box: 'ours' }]).did).toEqual(['say', 'commit', 'clear', 'submit']);
  const lost = tell([...typed, { box: 'ours', outcome: null, ms: 14_000 }]);
  expect(lost.did).toEqual(['say', 'commit', 'clear', 'submit', 'submit']);
});

test('a session that no /clear began proves no clear', () => {
  const { did, how } = tell([...typed, { box: 'ours' }, { sessionId: 's2', isCleared: false, box: 'empty', ms: 4000 }]);
  expect(did).toEqual(['say', 'commit', 'clear', 'submit']);
  expect(how).toBe('session_changed');
});

test('a text in the box that looks like ours is left alone as long as we typed nothing', () => {
  const { did } = tell([{ box: 'ours', ms: 600_000 }]);
  expect(did).toEqual([]);
  expect(tell([...written, { commit, otherPrompts: 1, said: 'no', box: 'ours', ms: 60_000 }]).did).toEqual([
    'say',
    'commit',
  ]);
});

test('work that came after the document is asked for before the clear', () => {
  expect(tell([...written, { commit, otherPrompts: 1, said: 'no' }, {}]).did).toEqual(['say', 'commit', 'say']);
});

test('a finished agent is not handed off, a futile handoff is told as such', () => {
  expect(tell([{}, {}], { seen: { contract: 'met' } })).toMatchObject({ how: 'finished', did: [] });
  const futile = tell([
    ...written,
    { commit, said: 'no' },
    {},
    { box: 'ours' },
    { sessionId: 's2', tokens: null, box: 'empty' },
    {},
    { said: 'open' },
    { tokens: 130_000 },
  ]);
  expect(futile.how).toBe('futile');
});

test('a jump of the clock ends no wait', () => {
  const first = decide(begin(start, 0), calm, rules, { at: 0, outcome: null });
  const busy = { ...calm, blockers: ['turn_open'] as const };
  const later = decide(first.next, busy, rules, { at: 72 * 3_600_000, outcome: null });
  expect(later.next).toMatchObject({ name: 'quiet', waitedMs: handoffLimits.maxGapMs });
});

test('an API that keeps failing is asked again with patience, and not for ever', () => {
  const round: Scene[] = [
    { said: 'ended', trouble: { why: '529', until: null }, ms: 90_000 },
    { said: 'no', ms: 4000 },
  ];
  const { did } = tell([...asked, ...Array.from({ length: 30 }, () => round).flat()]);
  expect(did.filter(one => one === 'say').length).toBeGreaterThan(3);
  expect(did.filter(one => one === 'say').length).toBeLessThanOrEqual(14);
  expect(did).toContain('write_fallback');
});
