// `baton doctor` on machines that lack something: folders and a PATH of the test's own.

import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { checkFolder } from '../../src/cli/check-folders.ts';
import { makeCliWorld, patience } from './cli-world.ts';

vi.setConfig(patience);
const world = makeCliWorld();
afterAll(world.end);

const doctor = async (more: Record<string, string> = {}) => {
  const { code, stdout } = await world.start(['doctor', '--json'], more).ended;
  const findings: { what: string; state: string; cure: string | null }[] = JSON.parse(stdout);
  return { code, of: (what: string) => findings.find(finding => finding.what === what)! };
};

test('a machine that has everything is told so, with 0', async () => {
  const { code, of } = await doctor();
  expect(code).toBe(0);
  for (const what of ['Node', 'tmux', 'git', 'runtime folder', 'state folder', 'disk'])
    expect(of(what)).toMatchObject({ state: 'good', cure: null });
});

test('a missing tmux, an old git and an untried claude are each told with their cure, and the code is 69', async () => {
  const folder = world.at('poor');
  mkdirSync(folder);
  symlinkSync('/bin/sh', path.join(folder, 'sh'));
  writeFileSync(path.join(folder, 'git'), '#!/bin/sh\necho git version 2.20.1\n', { mode: 0o755 });
  writeFileSync(path.join(folder, 'claude'), '#!/bin/sh\necho "1.0.7 (Claude Code)"\n', { mode: 0o755 });
  const { code, of } = await doctor({ PATH: folder });
  expect(code).toBe(69);
  expect(of('tmux')).toMatchObject({ state: 'bad', cure: expect.stringContaining('install') });
  expect(of('git')).toMatchObject({ state: 'bad', finding: expect.stringContaining('2.30 or newer') });
  expect(of('claude')).toMatchObject({ state: 'note', finding: expect.stringContaining('1.0.7 is older than') });
});

test('a runtime folder that is open to others, or too long for a socket, is named with its cure', async () => {
  const open = world.at('open');
  mkdirSync(open);
  chmodSync(open, 0o755);
  const [loose, long] = await Promise.all([
    doctor({ BATON_RUNTIME_DIR: open }),
    doctor({ BATON_RUNTIME_DIR: world.at('x'.repeat(120)) }),
  ]);
  expect(loose.of('runtime folder')).toMatchObject({ state: 'bad', cure: `chmod 700 ${open}` });
  expect(long.of('runtime folder')).toMatchObject({ state: 'bad', cure: expect.stringContaining('BATON_RUNTIME_DIR') });
  expect([loose.code, long.code]).toEqual([69, 69]);
});

test('a file where a folder should be is not taken for one', async () => {
  const folder = world.at('a-file');
  writeFileSync(folder, '');
  const place = { what: 'state folder', folder, variable: 'BATON_STATE_DIR', isPrivate: false };
  expect(await checkFolder(place)).toMatchObject({ state: 'bad', cure: expect.stringContaining('BATON_STATE_DIR') });
});
