// What Baton does next with a Claude Code session: the story once, then each danger by itself.

import { expect, test } from 'vitest';
import { type Move, nextMove, type Seen } from '../../src/conversation/next-move.ts';
import type { Talk } from '../../src/conversation/talk.ts';
import type { ScreenState } from '../../src/protocol/screen.ts';
import { heard, NOW, rules, screen, seen, shownError, talk } from './sights.ts';

const move = (more: Partial<Seen> = {}, told: Partial<Talk> = {}, limits = rules): Move =>
  nextMove(talk(told), seen(more), limits);
const nothing = { do: 'nothing' };
const unmet = { complaints: ['outputs/a.md is missing'], isHopeless: false };
const met = { complaints: [], isHopeless: false };
const failure = { lastEnd: { kind: 'failure' as const, error: 'overloaded', at: NOW - 1000 } };

test('the story: ready, task, work, contract, nudge, contract, leave', () => {
  const young = { isReady: false, isTaskSaid: false, unready: 1 };
  expect(move({ screen: null, heard: heard({ sessionId: null }) }, young)).toEqual(nothing);
  expect(move({ heard: heard({ sessionId: null }) }, young)).toEqual(nothing);
  expect(move({}, young)).toEqual({ do: 'greet', sessionId: 's1' });
  expect(move({}, { isTaskSaid: false })).toEqual({ do: 'say', purpose: 'task', complaints: [] });
  expect(move({ screen: screen('busy'), heard: heard({ isOpen: true }) })).toEqual(nothing);
  expect(move()).toEqual({ do: 'look_at_contract' });
  expect(move({ contract: unmet })).toEqual({ do: 'say', purpose: 'nudge', complaints: unmet.complaints });
  expect(move({ contract: met }, { nudges: 1 })).toEqual({ do: 'leave' });
});

test('ready needs both: a box without the SessionStart receipt, or the receipt without a box, is not ready', () => {
  const young = { isReady: false };
  const late = { launchedAt: NOW - 60_000 };
  expect(move({ ...late, heard: heard({ sessionId: null }) }, young)).toMatchObject({
    do: 'fail',
    reason: expect.stringContaining('SessionStart'),
    mayRetry: true,
  });
  expect(move({ ...late, screen: screen('unknown') }, young)).toMatchObject({
    do: 'fail',
    reason: expect.stringContaining('"unknown"'),
  });
  expect(move({ ...late, screen: null }, young)).toMatchObject({ do: 'fail' });
  expect(move({ launchedAt: NOW - 59_999, screen: screen('unknown') }, young)).toEqual(nothing);
});

test.each(['trust', 'onboarding', 'api_key', 'bypass', 'mcp'] as const)(
  'a %s dialog ends in its name and cure, at the start and in the middle, and is not tried again',
  state => {
    for (const isReady of [false, true]) {
      const said = move({ screen: screen(state) }, { isReady });
      expect(said).toMatchObject({ do: 'fail', mayRetry: false });
      expect((said as { reason: string }).reason).toMatch(new RegExp(`"${state}".{20,}`));
    }
  },
);

const unsafe: ScreenState[] = [
  ...(['busy', 'retrying', 'permission', 'question', 'plan', 'slash_menu', 'rewind'] as const),
  ...(['compacting', 'exit_armed', 'exited', 'shell', 'unknown'] as const),
];
test.each(unsafe)('nothing is ever said while the screen reads %s', state => {
  for (const told of [
    {},
    { isTaskSaid: false },
    { isReady: false },
    { isCutOff: true },
    { isParked: true, parkedUntil: NOW + 1 },
  ])
    for (const more of [{ contract: unmet }, { contract: met }, { heard: heard(failure) }])
      expect(move({ screen: screen(state), ...more }, told), JSON.stringify(told)).toEqual(nothing);
});

test('nothing is said over a draft, on a screen that could not be read, or in a pane somebody holds', () => {
  const draft = screen('idle', { safe_to_type: false, draft: 'my own words' });
  for (const told of [{}, { isTaskSaid: false }, { isCutOff: true }, { isReady: false }, { isLeaving: true }]) {
    if (told.isLeaving !== true) expect(move({ screen: draft, contract: unmet }, told)).toEqual(nothing);
    if (told.isLeaving !== true) expect(move({ screen: null, contract: unmet }, told)).toEqual(nothing);
    expect(move({ isHeld: true, contract: unmet }, told)).toEqual(nothing);
    expect(move({ isHeld: true, contract: met, gate: { reason: 'x', until: null } }, told)).toEqual(nothing);
  }
  expect(move({ isHeld: true, screen: screen('trust') }, { isReady: false })).toEqual(nothing);
});

test('before a closed gate it waits with the others, whatever it was about to say', () => {
  const gate = { reason: 'limit', until: NOW + 5 };
  for (const told of [{}, { isTaskSaid: false }, { isCutOff: true }])
    expect(move({ gate, contract: unmet }, told)).toEqual({ do: 'park', ...gate, isForAll: true });
  expect(move({ gate, screen: screen('busy') })).toEqual(nothing);
});

test('a turn that Esc ended is believed over after two equal idle screens 500 ms apart, not before', () => {
  const open = { heard: heard({ isOpen: true }) };
  expect(move({ ...open, stillMs: 499 })).toEqual(nothing);
  expect(move({ ...open, stillMs: 500 })).toEqual({ do: 'look_at_contract' });
});

test('nudges are counted; after the last it fails with what is still missing', () => {
  expect(move({ contract: unmet }, { nudges: 2 })).toMatchObject({ do: 'say', purpose: 'nudge' });
  expect(move({ contract: unmet }, { nudges: 3 })).toEqual({
    do: 'fail',
    reason: 'after 3 nudges still: outputs/a.md is missing',
    mayRetry: true,
  });
  expect(move({ contract: unmet }, {}, { ...rules, maxNudges: 0 })).toMatchObject({ do: 'fail' });
});

test('one that reports its own failure is let go, not nudged into lying', () => {
  expect(move({ contract: { complaints: ['its status is failure'], isHopeless: true } })).toEqual({ do: 'leave' });
});

test('only a permission is answered by time, and only when its time is over', () => {
  const asked = { askedAt: NOW - 600_000 };
  expect(move({ screen: screen('permission') }, asked)).toEqual({ do: 'deny' });
  expect(move({ screen: screen('permission') }, { askedAt: NOW - 599_999 })).toEqual(nothing);
  expect(move({ screen: screen('permission') })).toEqual(nothing);
  for (const state of ['question', 'plan'] as const) expect(move({ screen: screen(state) }, asked)).toEqual(nothing);
});

test('at its cost cap it is parked alone and says so; finished work is still taken', () => {
  const capped = { ...rules, maxCostUsd: 2 };
  const parked = { do: 'park', reason: 'it has cost 2.5 of max_cost_usd 2', until: null, isForAll: false };
  expect(move({ costUsd: 2.5, contract: unmet }, {}, capped)).toEqual(parked);
  expect(move({ costUsd: 2.5, contract: unmet }, { isCutOff: true }, capped)).toEqual(parked);
  expect(move({ costUsd: 1.9, contract: unmet }, {}, capped)).toMatchObject({ do: 'say' });
  expect(move({ costUsd: null, contract: unmet }, {}, capped)).toMatchObject({ do: 'say' });
  expect(move({ costUsd: 2.5, contract: met }, {}, capped)).toEqual({ do: 'leave' });
  const since = { isParked: true, parkedSince: NOW - 1000, parkedUntil: null };
  expect(move({ costUsd: 2.5 }, since, capped)).toEqual(nothing);
});

test('full and handed off as often as it may be, it is parked alone until that changes', () => {
  const cap = 'it had 20 handoffs, and max_handoffs is 20';
  expect(move({ cap, contract: unmet })).toEqual({ do: 'park', reason: cap, until: null, isForAll: false });
  expect(move({ cap, contract: met })).toEqual({ do: 'leave' });
  const since = { isParked: true, parkedSince: NOW - 1000, parkedUntil: null };
  expect(move({ cap }, since)).toEqual(nothing);
  expect(move({}, since)).toEqual({ do: 'unpark', isProven: false });
});

test('API trouble parks it with its account, and afterwards it is asked to go on', () => {
  const overloaded = { heard: heard(failure) };
  expect(move(overloaded)).toEqual({ do: 'park', reason: 'API error: overloaded', until: NOW + 5000, isForAll: true });
  expect(move(overloaded, { agains: 3 })).toMatchObject({ until: NOW + 40_000 });
  expect(move(overloaded, { unparkedAt: NOW })).toMatchObject({ do: 'say', purpose: 'again' });
  expect(move(overloaded, { agains: 8 })).toMatchObject({ do: 'fail', mayRetry: true });
});

test('a prompt that a used-up account refused is said again after the reset, the task too', () => {
  const limited = { screen: shownError('usage_limit', new Date(NOW + 3_600_000).toISOString()) };
  for (const isTaskSaid of [false, true]) {
    expect(move(limited, { isTaskSaid })).toMatchObject({ do: 'park', until: NOW + 3_600_000, isForAll: true });
    const purpose = isTaskSaid ? 'again' : 'task';
    expect(move(limited, { isTaskSaid, unparkedAt: NOW })).toMatchObject({ do: 'say', purpose });
  }
  expect(move({ screen: shownError('usage_limit') })).toMatchObject({ do: 'park', until: NOW + 1_800_000 });
});

test('a lost login parks it without an end', () => {
  const lost = { screen: shownError('auth'), heard: heard({ lastEnd: { kind: 'failure', error: 'x', at: NOW - 9 } }) };
  expect(move(lost)).toEqual({ do: 'park', reason: 'it shows auth', until: null, isForAll: true });
});

test('a login lost on the way parks it too; when it is back, the words on the screen are got rid of by a restart', () => {
  const lastEnd = { kind: 'failure' as const, error: 'authentication_failed', at: NOW - 9 };
  const lost = {
    screen: { ...shownError('auth'), state: 'login' as const, safe_to_type: false },
    heard: heard({ lastEnd }),
  };
  expect(move(lost)).toMatchObject({ do: 'park', until: null, isForAll: true });
  expect((move(lost) as { reason: string }).reason).toMatch(/^it shows auth\. .*log in/);
  expect(move(lost, { isParked: true, parkedUntil: null, parkedSince: NOW })).toMatchObject({ do: 'unpark' });
  expect(move(lost, { unparkedAt: NOW })).toEqual({ do: 'restart' });
  expect(move(lost, { isReady: false })).toMatchObject({ do: 'fail', mayRetry: false });
});

test('a full context and a request at fault end the attempt; only the first may be tried again', () => {
  expect(move({ screen: shownError('context_limit') })).toMatchObject({ do: 'fail', mayRetry: true });
  const refused = heard({ lastEnd: { kind: 'failure', error: 'invalid_request', at: NOW - 1 } });
  expect(move({ heard: refused })).toMatchObject({ do: 'fail', mayRetry: false });
});

test('parked ends with its time and an open gate, or when a turn went well: a person got it going', () => {
  const timed = { isParked: true, parkedSince: NOW - 1000, parkedUntil: NOW };
  expect(move({}, timed)).toEqual({ do: 'unpark', isProven: false });
  expect(move({}, { ...timed, parkedUntil: NOW + 1 })).toEqual(nothing);
  expect(move({ gate: { reason: 'x', until: NOW + 9 } }, timed)).toEqual(nothing);
  const endless = { ...timed, parkedUntil: null };
  const gate = { reason: 'x', until: null };
  expect(move({ gate }, endless)).toEqual(nothing);
  expect(move({}, endless)).toEqual({ do: 'unpark', isProven: false });
  const well = (at: number) => heard({ lastEnd: { kind: 'stop', at } });
  expect(move({ gate, heard: well(NOW - 1) }, endless)).toEqual({ do: 'unpark', isProven: true });
  expect(move({ gate, heard: well(NOW - 1000) }, endless)).toEqual(nothing);
});

test('a dialog of a parked agent still runs out', () => {
  const told = { isParked: true, parkedUntil: null, askedAt: 0 };
  expect(move({ screen: screen('permission') }, told)).toEqual({ do: 'deny' });
});

test('one that was killed and resumed is asked to go on, without counting a nudge; finished work is taken', () => {
  const told = { isCutOff: true, nudges: 3 };
  expect(move({ contract: unmet }, told)).toEqual({ do: 'say', purpose: 'again', complaints: [] });
  expect(move({ contract: met }, told)).toEqual({ do: 'leave' });
});

test('without any progress it is given up after its time; a busy one, or one that still gives signs, is not', () => {
  const long = { stateForMs: 1_800_000, heard: heard({ lastSignAt: NOW - 1_800_000 }) };
  for (const state of ['retrying', 'unknown', 'compacting', 'slash_menu'] as const) {
    expect(move({ ...long, screen: screen(state) })).toMatchObject({ do: 'fail', mayRetry: true });
    expect(move({ ...long, screen: screen(state), heard: heard({ lastSignAt: NOW - 1 }) })).toEqual(nothing);
    expect(move({ ...long, screen: screen(state), stateForMs: 1_799_999 })).toEqual(nothing);
  }
  expect(move({ ...long, screen: null })).toMatchObject({
    do: 'fail',
    reason: 'no progress for 30 min (its screen reads "unknown")',
  });
  expect(move({ ...long, screen: screen('busy') })).toEqual(nothing);
});

test('a leave that an engine began and did not live to finish is done again, but not while the program ends', () => {
  expect(move({ heard: heard({ endedBy: null }) }, { isLeaving: true })).toEqual({ do: 'leave' });
  const ending = { endedBy: 'prompt_input_exit' };
  expect(move({ heard: heard({ ...ending, lastSignAt: NOW - 1000 }) }, { isLeaving: true })).toEqual(nothing);
  expect(move({ heard: heard({ ...ending, lastSignAt: NOW - 15_000 }) }, { isLeaving: true })).toEqual({ do: 'leave' });
});

test('its own text left over in the box is taken out before anything else, also on the way out', () => {
  const left = seen({ hasLeftover: true, screen: screen('idle', { safe_to_type: false, draft: 'go on' }) });
  expect(nextMove(talk(), left, rules)).toEqual({ do: 'wipe' });
  expect(nextMove(talk({ isLeaving: true }), left, rules)).toEqual({ do: 'wipe' });
  expect(nextMove(talk(), { ...left, isHeld: true }, rules)).toEqual({ do: 'nothing' });
  expect(nextMove(talk(), { ...left, hasLeftover: false }, rules)).toEqual({ do: 'nothing' });
});

test('a login lost by a process older than the last proof of the account closes nothing: it is started anew, once', () => {
  const login = screen('login', { error: { kind: 'auth', message: '401', resets_at: null, is_retrying: false } });
  const lost = {
    screen: login,
    heard: heard({ lastEnd: { kind: 'failure', error: 'authentication_failed', at: NOW - 1 } }),
  };
  expect(move({ ...lost, provenAt: NOW - 5000, launchedAt: NOW - 10_000 })).toEqual({ do: 'restart' });
  expect(move({ ...lost, provenAt: NOW - 5000, launchedAt: NOW - 2000 })).toMatchObject({ do: 'park', isForAll: true });
  expect(move(lost)).toMatchObject({ do: 'park', isForAll: true });
  const idle = { ...lost, screen: shownError('auth') };
  expect(move({ ...idle, provenAt: NOW - 5000, launchedAt: NOW - 10_000 })).toEqual({ do: 'restart' });
});
