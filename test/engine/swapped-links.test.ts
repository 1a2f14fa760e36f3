// An agent that puts links where Baton writes: at the moment of use each is found, and nothing of what
// lies outside the workspace changes.

import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { runRequest } from '../../src/engine/run-execution.ts';
import { fingerprintTree } from '../../src/files/walk-tree.ts';
import { makeWorld, writeOut } from './engine-world.ts';

// C is the canary outside, W the workspace.
const swaps: [string, string][] = [
  ['logs/', 'mv $W/logs $W/logs.old; ln -s $C $W/logs'],
  ["the next agent's logs", 'mkdir -p $W/logs/b; for n in out err; do ln -s $C/$n $W/logs/b/std$n.log; done'],
  ["the next agent's log by a second name", 'mkdir -p $W/logs/b; ln $C/alive $W/logs/b/stdout.log'],
  ['tmux/', 'mv $W/tmux $W/tmux.old; ln -s $C $W/tmux'],
  ['attempts/', 'rm -rf $W/attempts; ln -s $C $W/attempts; echo old > $W/outputs/b.txt'],
  ['.baton/tasks', 'mv $W/.baton/tasks $W/old; ln -s $C $W/.baton/tasks'],
  ['.baton/results', 'rm -rf $W/.baton/results/b; ln -s $C $W/.baton/results/b'],
  ['work/', 'ln -s $C $W/work/b'],
  ['the parent of an output', 'ln -s $C $W/away'],
  ['merged/', 'ln -s $C $W/merged; ln -s $C $W/merged.tmp'],
  ['merge/', 'ln -s $C $W/merge'],
  ['merge/kept', 'mkdir $W/merge; ln -s $C $W/merge/kept'],
  ['merge/record.json', 'mkdir $W/merge; ln -s $C/r $W/merge/record.json; ln -s $C/r $W/merge/record.json.tmp'],
  ['conflicts.json', 'ln -s $C/alive $W/conflicts.json; ln -s $C/c $W/conflicts.json.tmp'],
  ['the report and the status', 'ln -s $C/alive $W/execution_report.json; ln -sf $C/alive $W/status.json'],
];

test.each(swaps)('a link in the place of %s carries nothing away', async (_, swap) => {
  const script = (folder: string) => `C=${folder}/canary W=${folder}/ws\n${swap}\n${writeOut}`;
  const world = makeWorld([
    { name: 'a', script: '' },
    { name: 'b', script: `echo noise; echo noise >&2; ${writeOut}`, needs: ['a'], outputs: { out: 'outputs/b.txt' } },
    { name: 'c', script: writeOut, needs: ['b'], outputs: { out: 'away/c.txt' } },
  ]);
  writeFileSync(path.join(world.folder, 'agents/a/work.sh'), script(world.folder));
  const canary = path.join(world.folder, 'canary');
  mkdirSync(canary);
  writeFileSync(path.join(canary, 'alive'), 'alive');
  const before = await fingerprintTree(canary);
  const { report } = await runRequest({ file: world.file }, { allowRoots: [] });
  expect(report.agents[0]).toMatchObject({ agent_name: 'a', status: 'success' });
  expect(await fingerprintTree(canary)).toBe(before);
});
