// A used-up account, from the words on the screen to the go-on after the reset. No account here can reach a limit:
// the screen is made by hand from a captured one, with the program's own words. Unproven against the service.

import { expect, test } from 'vitest';
import { apiTrouble } from '../../src/conversation/api-trouble.ts';
import { nextMove } from '../../src/conversation/next-move.ts';
import { parseReset } from '../../src/conversation/parse-reset.ts';
import type { ScreenReading } from '../../src/protocol/screen.ts';
import { readScreen } from '../../src/screen/read-screen.ts';
import { fixture } from '../screen/fixtures.ts';
import { heard, NOW, rules, seen, talk } from './sights.ts';

const SEVEN = NOW + 7 * 3_600_000; // it is noon

function limited(words: string): ScreenReading {
  const { text } = fixture('api-error-401.txt');
  const reading = readScreen(text.replace('Invalid API key · Fix external API key', words));
  const told = reading.error!.resets_at;
  const at = told === null ? null : parseReset(told, NOW, 'UTC');
  return { ...reading, error: { ...reading.error!, resets_at: at === null ? null : new Date(at).toISOString() } };
}

test('it is parked with all of its account until the reset that the screen names, and then goes on by itself', () => {
  const screen = limited("You've hit your session limit · resets 7pm (UTC)");
  const parked = nextMove(talk(), seen({ screen }), rules);
  expect(parked).toEqual({
    do: 'park',
    reason: "You've hit your session limit · resets 7pm (UTC)",
    until: SEVEN,
    isForAll: true,
  });
  const waits = talk({ isParked: true, parkedSince: NOW, parkedUntil: SEVEN });
  const gate = { reason: 'limit', until: SEVEN };
  expect(nextMove(waits, seen({ screen, gate, at: SEVEN - 1 }), rules)).toEqual({ do: 'nothing' });
  expect(nextMove(waits, seen({ screen, at: SEVEN }), rules)).toEqual({ do: 'unpark', isProven: false });
  const free = talk({ unparkedAt: SEVEN });
  expect(nextMove(free, seen({ screen, at: SEVEN }), rules)).toMatchObject({ do: 'say', purpose: 'again' });
});

test('refused again after that, it waits again', () => {
  const screen = limited('Usage limit reached');
  const refused = heard({ isOpen: true, lastSignAt: NOW });
  const moved = nextMove(talk({ unparkedAt: NOW - 1, agains: 1 }), seen({ screen, heard: refused }), rules);
  expect(moved).toMatchObject({ do: 'park', until: NOW + 1_800_000 });
});

test('told by a failed turn instead of a refused prompt, it is the same', () => {
  const screen = limited("You've hit your session limit · resets 7pm (UTC)");
  const told = heard({ lastEnd: { kind: 'failure', error: 'rate_limit', at: NOW } });
  expect(apiTrouble(told, screen)).toMatchObject({ kind: 'usage_limit', resetsAt: SEVEN });
});
