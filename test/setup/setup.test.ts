import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { fingerprint } from '../../src/setup/build.mjs';
import { handOver } from '../../src/setup/hand-over.mjs';
import { isAbandoned, oneAtATime } from '../../src/setup/one-at-a-time.mjs';
import { arePackagesFresh, lacksOnlyPlatforms, outsideNode } from '../../src/setup/packages.mjs';
import { bundledNode, modules } from '../../src/setup/paths.mjs';
import { isEnough, lacking, lineToRun, parseVersion } from '../../src/setup/programs.mjs';
import { seconds } from '../../src/setup/stop.mjs';
import { toTally } from '../../src/setup/test-run.mjs';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'baton-setup-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test.each([
  ['tmux 3.3a', [3, 3]],
  ['tmux next-3.6', [3, 6]],
  ['tmux 3.10', [3, 10]],
  ['git version 2.39.5 (Apple Git-154)', [2, 39]],
  ['git version 2.42.0.windows.2', [2, 42]],
  ['tmux master', null],
])('the version of "%s" is %o', (text, version) => {
  expect(parseVersion(text)).toEqual(version);
});

test.each([
  [[3, 2], true],
  [[3, 1], false],
  [[3, 10], true],
  [[2, 9], false],
  [[4, 0], true],
  [null, true],
])('version %o is enough for 3.2: %s', (version, answer) => {
  expect(isEnough(version, [3, 2])).toBe(answer);
});

test('a program that is missing or too old is told apart', () => {
  const nothing = { name: 'baton-no-such-program', ask: ['-V'], least: [1, 0] };
  const old = { name: 'git', ask: ['--version'], least: [99, 0] };
  const good = { name: 'git', ask: ['--version'], least: [2, 0] };
  expect(lacking([nothing, old, good])).toMatchObject([
    { name: 'baton-no-such-program', found: null },
    { name: 'git', found: expect.stringMatching(/^git version/) },
  ]);
  expect(lineToRun(['tmux'], 'linux')).toBe('sudo apt-get install -y tmux');
  expect(lineToRun(['tmux', 'git'], 'darwin')).toBe('brew install tmux git');
});

test('the fingerprint of sources changes with every edit, new file and deletion', () => {
  const file = path.join(folder, 'sub', 'a.ts');
  mkdirSync(path.dirname(file));
  writeFileSync(file, 'one');
  const first = fingerprint([folder]);
  expect(fingerprint([folder])).toBe(first);
  utimesSync(file, new Date(), new Date(1000));
  const touched = fingerprint([folder]);
  writeFileSync(path.join(folder, 'b.ts'), '');
  const added = fingerprint([folder]);
  rmSync(file);
  expect(new Set([first, touched, added, fingerprint([folder])]).size).toBe(4);
});

test('packages are stale without a stamp, with a broken one, and with that of another lock file', () => {
  const stamp = path.join(folder, 'stamp.json');
  expect(arePackagesFresh(stamp)).toBe(false);
  writeFileSync(stamp, '{');
  expect(arePackagesFresh(stamp)).toBe(false);
  writeFileSync(stamp, '{"lock_sha256":"0"}');
  expect(arePackagesFresh(stamp)).toBe(false);
});

test('a lock file may lack builds for other platforms, and nothing else', () => {
  const lock = path.join(folder, 'package-lock.json');
  const packages = { 'node_modules/@x/tool': { optionalDependencies: { '@x/tool-mac': '1.0.0' } } };
  writeFileSync(lock, JSON.stringify({ packages }));
  const platform = 'npm error code EUSAGE\nnpm error Missing: @x/tool-mac@ from lock file\n';
  expect(lacksOnlyPlatforms(platform, lock)).toBe(true);
  expect(lacksOnlyPlatforms(`${platform}npm error Missing: zod@4.0.0 from lock file\n`, lock)).toBe(false);
  expect(lacksOnlyPlatforms(`${platform}npm error Invalid: lock file's a@1 does not satisfy a@2\n`, lock)).toBe(false);
  expect(lacksOnlyPlatforms('npm error network', lock)).toBe(false);
});

test('npm is not run by the Node that it is about to remove', () => {
  const own = path.join(folder, 'node');
  writeFileSync(own, '');
  expect(outsideNode({ PATH: `${modules}/.bin:${folder}` }, bundledNode)).toBe(own);
  expect(outsideNode({ npm_node_execpath: own, PATH: '' }, bundledNode)).toBe(own);
});

test('two at once take turns, and a lock of the dead is taken over', async () => {
  const lock = path.join(folder, 'dist', 'lock');
  const order: string[] = [];
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  const first = oneAtATime(lock, async () => {
    await gate;
    order.push('first');
  });
  expect(isAbandoned(lock)).toBe(false);
  const second = oneAtATime(lock, async () => order.push('second'));
  open();
  await Promise.all([first, second]);
  expect(order).toEqual(['first', 'second']);

  const { pid } = spawnSync('true');
  mkdirSync(lock);
  writeFileSync(path.join(lock, 'pid'), String(pid));
  await oneAtATime(lock, async () => order.push('third'));
  expect(order).toEqual(['first', 'second', 'third']);
});

test('a lock is abandoned when it is absurdly old, or never got a name', () => {
  const lock = path.join(folder, 'lock');
  mkdirSync(lock);
  expect(isAbandoned(lock)).toBe(false);
  expect(isAbandoned(lock, Date.now() + 60_000)).toBe(true);
  writeFileSync(path.join(lock, 'pid'), String(process.pid));
  expect(isAbandoned(lock, Date.now() + 60_000)).toBe(false);
  expect(isAbandoned(lock, Date.now() + 3_600_000)).toBe(true);
});

test('the real work ends as its child ended', async () => {
  const listeners = () => process.listenerCount('SIGINT') + process.listenerCount('SIGTERM');
  const before = listeners();
  expect(await handOver('bash', ['-c', 'exit 7'], { stdio: 'ignore' })).toEqual({ code: 7, signal: null });
  expect(await handOver('bash', ['-c', 'kill -KILL $$'], { stdio: 'ignore' })).toEqual({
    code: null,
    signal: 'SIGKILL',
  });
  expect(listeners()).toBe(before);
});

test('a signal to set-up reaches the child', async () => {
  const file = new URL('../../src/setup/hand-over.mjs', import.meta.url).href;
  const script = `import { endLike, handOver } from '${file}';
    endLike(await handOver('bash', ['-c', 'trap "exit 9" TERM; echo ready; for i in {1..200}; do sleep 0.05; done']));`;
  const parent = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(parent.stdout, 'data');
  parent.kill('SIGTERM');
  expect(await once(parent, 'exit')).toEqual([9, null]);
});

const toVitest = (passed: number, failed: number, files: object[] = []) => {
  return { numPassedTests: passed, numFailedTests: failed, testResults: files };
};

test.each([
  ['all is well', { vitest: toVitest(5, 0), vitestCode: 0, lintCode: 0 }, { passed: 5, failed: 0, exitCode: 0 }],
  ['a test failed', { vitest: toVitest(5, 2), vitestCode: 1, lintCode: 0 }, { passed: 5, failed: 2, exitCode: 1 }],
  [
    'a file could not be loaded',
    { vitest: toVitest(5, 0, [{ status: 'failed', assertionResults: [] }]), vitestCode: 1, lintCode: 0 },
    { passed: 5, failed: 1, exitCode: 1 },
  ],
  ['no test ran', { vitest: toVitest(0, 0), vitestCode: 0, lintCode: 0 }, { passed: 0, failed: 1, exitCode: 1 }],
  ['vitest wrote nothing', { vitest: null, vitestCode: 1, lintCode: 0 }, { passed: 0, failed: 1, exitCode: 1 }],
  [
    'an error outside of tests',
    { vitest: toVitest(5, 0), vitestCode: 1, lintCode: 0 },
    { passed: 5, failed: 1, exitCode: 1 },
  ],
  [
    'only the lint failed',
    { vitest: toVitest(5, 0), vitestCode: 0, lintCode: 1 },
    { passed: 5, failed: 1, exitCode: 1 },
  ],
])('the tally when %s', (_when, ended, tally) => {
  expect(toTally(ended)).toEqual(tally);
});

test('durations are short', () => {
  expect([seconds(140), seconds(9_940), seconds(14_300)]).toEqual(['0.1 s', '9.9 s', '14 s']);
});
