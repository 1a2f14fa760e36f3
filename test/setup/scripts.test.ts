// The scripts of package.json: each goes through set-up, so that it works as the first command of a clone.

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
const node = (args: string[], env = {}) =>
  spawnSync(process.execPath, args, { encoding: 'utf8', env: { ...process.env, ...env } });

test('every script is a mode that set-up knows, and an unknown mode is refused with 2', () => {
  const { status, stderr } = node(['src/setup/prepare.mjs', 'bogus']);
  expect(status).toBe(2);
  const modes = /prepare\.mjs (\S+) /.exec(stderr)![1]!.split('|');
  expect(Object.values(scripts).toSorted()).toEqual(modes.map(mode => `node src/setup/prepare.mjs ${mode}`).toSorted());
});

test.each([
  ['small', undefined, 5],
  ['full', 'full', 1000],
])('the %s size of a test is chosen by BATON_TEST_SIZE', (_name, wanted, size) => {
  const script = "import { size } from './test/test-size.ts'; console.log(size(5, 1000));";
  const { stdout } = node(['--input-type=module', '-e', script], { BATON_TEST_SIZE: wanted });
  expect(stdout).toBe(`${size}\n`);
});
