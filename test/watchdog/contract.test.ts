// An agent that has done what it owes is not handed off; one that only says so, or only left a file, is.

import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { lookAtContract } from '../../watchdog/look-at-contract.ts';
import { latchBy } from '../../watchdog/past-handoffs.ts';
import { tempFolder } from '../files/temp-folder.ts';
import { until } from './cycle-world.ts';
import { fill, looked, paperPane } from './paper-pane.ts';

const good = '{"status":"success"}';

test('a result alone meets no contract: it has to be readable and a success, with every output there', async () => {
  const folder = tempFolder();
  const at = (name: string) => `${folder}/${name}`;
  const contract = { resultFile: at('result.json'), outputs: [at('a.txt'), at('b')] };
  const verdict = () => lookAtContract(contract);
  expect(await lookAtContract(null)).toBe('none');
  expect(await verdict()).toBe('unmet');
  writeFileSync(at('result.json'), good);
  expect(await verdict()).toBe('unmet');
  writeFileSync(at('a.txt'), 'a');
  symlinkSync(at('a.txt'), at('b'));
  expect(await verdict()).toBe('unmet');
  rmSync(at('b'));
  mkdirSync(at('b'));
  expect(await verdict()).toBe('unmet');
  writeFileSync(at('b/c'), 'c');
  expect(await verdict()).toBe('met');
  for (const text of ['{}', 'nonsense', '{"status":"failure"}']) {
    writeFileSync(at('result.json'), text);
    expect(await verdict(), text).toBe('unmet');
  }
});

test('it is handed off while an output is missing, and also later when the engine let it work on', async () => {
  const folder = tempFolder();
  const contract = { resultFile: `${folder}/result.json`, outputs: [`${folder}/a.txt`] };
  const paper = paperPane({ pane: { contract } });
  writeFileSync(contract.resultFile, good);
  writeFileSync(contract.outputs[0]!, 'a');
  fill(paper, 's1', 80_000);
  paper.watch();
  await looked(paper, 4);
  expect(paper.told.filter(({ handoff }) => handoff !== null)).toEqual([]);
  rmSync(contract.outputs[0]!);
  await until(
    () => {
      paper.receipt('Notification', 's1');
      return paper.records().length === 1;
    },
    15_000,
    'a handoff',
  );
});

test('a handoff that ended as finished keeps no session from its next one', () => {
  const watch = { first: null, latched: ['s1', 's0'], alertedFor: null };
  expect(latchBy(watch, 'finished', { sessionId: 's1', sessionAfter: null }).latched).toEqual(['s0']);
});
