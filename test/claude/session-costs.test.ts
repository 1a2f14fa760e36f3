// What an agent has cost, over sessions and processes that each count from zero.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { addCost, type Costs, keepCosts, readCosts, totalCost } from '../../src/claude/session-costs.ts';

const record = (session_id: string, cost_usd: number | null) => ({ session_id, cost_usd });
const added = (...records: [string, number | null][]) =>
  totalCost(records.reduce<Costs>((costs, [session, cost]) => addCost(costs, record(session, cost)), {}));

test('sessions are added up, and a session that begins to count anew is too', () => {
  expect(added(['a', 0.5], ['a', 1], ['b', 0.25])).toBe(1.25);
  expect(added(['a', 1], ['a', 0.25], ['a', 0.5])).toBe(1.5);
  expect(added(['a', 1], ['b', 1], ['a', 1])).toBe(2);
});

test('nothing told is unknown, never zero', () => {
  expect(added(['a', null])).toBeNull();
  expect(totalCost(addCost({}, null))).toBeNull();
  expect(added(['a', 0])).toBe(0);
});

test('it is kept on the disk, and a file that is no good counts as none', async () => {
  const folder = mkdtempSync('/tmp/bs-');
  const file = path.join(folder, 'costs.json');
  expect(await readCosts(file)).toEqual({});
  await keepCosts(file, {}, record('a', 2));
  expect(totalCost(await readCosts(file))).toBe(2);
  writeFileSync(file, '{');
  expect(await readCosts(file)).toEqual({});
  rmSync(folder, { recursive: true });
});
