// Requests nobody wrote in good faith: mutated ones and hostile paths. Never a crash, never a trace on the disk.

import { rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Fault } from '../../src/protocol/fault.ts';
import { isWithin } from '../../src/request/check-outputs.ts';
import { type LoadedRequest, loadRequest, type RequestSource } from '../../src/request/load-request.ts';
import { size } from '../test-size.ts';
import { fingerprint, ownFolder, put } from './own-folder.ts';
import { agent, smallRequest } from './small-request.ts';

const runs = size(300, 1000);
let folder: string;
let before: string;

beforeAll(() => {
  folder = ownFolder();
  put(folder, 'ws/in.md', 'x');
  put(folder, 'canary/alive', 'x');
  symlinkSync('../canary', path.join(folder, 'ws/out'));
  symlinkSync('/', path.join(folder, 'ws/slash'));
  symlinkSync('.', path.join(folder, 'ws/self'));
  symlinkSync('up', path.join(folder, 'ws/up'));
  symlinkSync(path.join(folder, 'canary'), path.join(folder, 'ws/abs'));
  symlinkSync('../canary/not-yet', path.join(folder, 'ws/hollow'));
  symlinkSync('self/abs', path.join(folder, 'ws/chain'));
  symlinkSync('../canary/alive', path.join(folder, 'ws/file'));
  symlinkSync('..', path.join(folder, 'ws/parent'));
  symlinkSync('parent/ws/parent/canary', path.join(folder, 'ws/round'));
  symlinkSync('/proc/self/cwd', path.join(folder, 'ws/cwd'));
  symlinkSync('/dev/null', path.join(folder, 'ws/null'));
  before = fingerprint(folder);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

// Loaded, or refused with problems that each say what and what to do; anything else fails the test.
async function load(source: RequestSource): Promise<LoadedRequest | null> {
  try {
    return await loadRequest(source, { allowRoots: [], providers: ['command'] });
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    expect(error.code).toBe('invalid');
    expect(error.problems.length).toBeGreaterThan(0);
    for (const problem of error.problems) {
      expect(problem.message.trim()).not.toBe('');
      expect(problem.cure.trim()).not.toBe('');
      expect(`${problem.path}${problem.message}${problem.cure}`).not.toMatch(
        /[\u0000-\u001f\u007f-\u009f]|undefined|\[object/,
      );
    }
    return null;
  }
}

const model = () =>
  smallRequest(
    agent('a', { inputs: { in: 'in.md' }, outputs: { o: 'outputs/a', p: 'outputs/p.ctxp' } }),
    agent('b', { inputs: { o: 'outputs/a/x' }, outputs: { o: 'outputs/b' }, needs: ['a'] }),
    agent('c', { needs: ['a', 'b'] }),
  );

const odd = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    -1,
    0,
    1e308,
    2.5,
    '',
    '.',
    '..',
    '/',
    '~',
    'a',
    'b',
    'outputs/a',
    'in.md',
    '\0',
    '\ud800',
    'agent',
    {},
    [],
  ),
  fc.jsonValue({ maxDepth: 2 }),
  fc.string({ unit: 'binary' }),
);
const oddKey = fc.constantFrom(
  'agents',
  'task',
  'inputs',
  'o',
  'dependancies',
  '__proto__',
  'constructor',
  'toString',
  '',
  '\u001b[2J',
  'a.b',
);

// One change at a random place of the value: replace, remove, add a key, double an item.
type Change = { steps: number[]; kind: 'replace' | 'remove' | 'add' | 'double'; key: string; value: unknown };
const change: fc.Arbitrary<Change> = fc.record({
  steps: fc.array(fc.nat(20), { maxLength: 6 }),
  kind: fc.constantFrom('replace', 'remove', 'add', 'double'),
  key: oddKey,
  value: odd,
});

function apply(root: Record<string, unknown>, { steps, kind, key, value }: Change): void {
  let here: object = root;
  let last: string = Object.keys(root)[0] ?? '';
  for (const step of steps) {
    const keys = Object.keys(here);
    if (keys.length === 0) break;
    last = keys[step % keys.length]!;
    const next: unknown = Reflect.get(here, last);
    if (typeof next !== 'object' || next === null) break;
    if (step % 3 !== 0) here = next;
  }
  if (kind === 'replace') Reflect.set(here, last, value);
  else if (kind === 'remove') Reflect.deleteProperty(here, last);
  else if (kind === 'double' && Array.isArray(here)) here.push(here[0]);
  else Object.defineProperty(here, key, { value, enumerable: true, configurable: true, writable: true });
}

test('mutated requests are loaded or refused with cures, and leave no trace', async () => {
  let loaded = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 3 }), async changes => {
      const value = structuredClone(model()) as Record<string, unknown>;
      for (const one of changes) apply(value, one);
      if ((await load({ value, folder: path.join(folder, 'ws') })) !== null) loaded += 1;
    }),
    { numRuns: runs },
  );
  expect(fingerprint(folder)).toBe(before);
  expect(loaded).toBeLessThan(runs);
});

test('files with bytes changed are loaded or refused, and leave no trace', async () => {
  const home = ownFolder();
  const bytes = Buffer.from(JSON.stringify({ ...model(), workspace_root: path.join(folder, 'ws') }, null, 1));
  const hit = fc.tuple(fc.nat(bytes.length - 1), fc.nat(255));
  try {
    await fc.assert(
      fc.asyncProperty(fc.array(hit, { minLength: 1, maxLength: 4 }), async hits => {
        const changed = Buffer.from(bytes);
        for (const [at, byte] of hits) changed[at] = byte;
        await load({ file: put(home, 'r.json', changed as never) });
      }),
      { numRuns: Math.ceil(runs / 3) },
    );
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
  expect(fingerprint(folder)).toBe(before);
});

const up = ['..', '../x', 'a/../../x', './..', '../../../../etc/passwd', 'a/..', '..//..', '/..', '/../etc', 'a/../b'];
const homes = ['~', '~/x', '~root/x', '~+', '~-', '~/../x'];
const links = [
  'out',
  'out/x',
  'out/alive',
  'slash',
  'slash/etc/x',
  'slash/tmp/x',
  'self/out/x',
  'self/self/out',
  'self/slash/x',
  'up',
  'up/x',
  'self/up/x',
];
const outside = [
  '/',
  '//',
  '///etc',
  '/etc/passwd',
  '/etc/',
  '/dev/null',
  '/dev/zero',
  '/dev/stdin',
  '/proc/self/mem',
  '/proc/self/root/etc/x',
  '/proc/self/cwd/x',
  '/proc/self/fd/0',
  '/sys/x',
  '/root/.ssh/authorized_keys',
  '/tmp',
  '/tmp/x',
  '/var/x',
  '/home',
];
const own = [
  '.',
  './',
  '././.',
  'self',
  'self/self',
  'logs',
  './logs/x',
  'logs//x',
  'self/logs',
  'self/self/merged/x',
  '.baton/x',
  'status.json',
  'self/status.json',
  'execution_report.json/x',
  'tmux/a.log',
  'checkpoint/checkpoint.tar.gz',
  'attempts/1',
  'merge/record.json',
  'events.ndjson',
  'conflicts.json',
  'execution_request.json',
  'agent',
  'agent/agent.json',
  'self/agent/x',
  'in.md/x',
];
const control = [...Array(32).keys(), 127, 0x80, 0x85, 0x9b, 0x9f].map(code => `x${String.fromCharCode(code)}y`);
const sizes = [
  '',
  'x'.repeat(256),
  'x/'.repeat(2100),
  'é'.repeat(128),
  `${'x'.repeat(250)}/`.repeat(17),
  '\ud800',
  'x\udfff/y',
];
// Every way to a link, through every way around, to every kind of place behind it.
const ways = ['', './', 'self/', 'self/self//', 'self/./self/'];
const doors = ['out', 'abs', 'hollow', 'chain', 'file', 'parent/canary', 'round', 'cwd', 'null', 'parent/ws2'];
const behind = ['', '/', '/x', '/alive', '/deep/er/x'];
const through = ways.flatMap(way => doors.flatMap(door => behind.map(rest => `${way}${door}${rest}`)));
const refusedPaths = [...new Set([...up, ...homes, ...links, ...outside, ...own, ...control, ...sizes, ...through])];

test('at least 300 hostile paths are tried', () => {
  expect(refusedPaths.length).toBeGreaterThanOrEqual(300);
});

test('every hostile path is refused as an output, and nothing changes', async () => {
  for (const text of refusedPaths) {
    const value = smallRequest(agent('a', { outputs: { o: text } }));
    expect(await load({ value, folder: path.join(folder, 'ws') }), JSON.stringify(text.slice(0, 60))).toBeNull();
    expect(fingerprint(folder), JSON.stringify(text.slice(0, 60))).toBe(before);
  }
});

// Strange, but only names: nothing here is expanded, so each stays inside the workspace.
test.each([
  ['$HOME/x'],
  ['${HOME'],
  ['`id`'],
  ['$(id)'],
  ['; rm -rf x'],
  ['a b'],
  ['-rf'],
  ['*'],
  ['...'],
  ['.. /x'],
  ['a\\..\\b'],
  ['%2e%2e/x'],
  ['x~'],
  ['a/~/b'],
  ['C:\\x'],
  ['файл'],
  ['\u202etxt'],
  ['self/x'],
  ['a//b/./c'],
])('the output %j is only a strange name', async text => {
  const ws = path.join(folder, 'ws');
  const loaded = await load({ value: smallRequest(agent('a', { outputs: { o: text } })), folder: ws });
  expect(isWithin(loaded?.agents[0]?.outputs.o ?? '', ws)).toBe(true);
});

test('every hostile path is harmless as input, agent folder and workspace too', async () => {
  for (const text of refusedPaths) {
    await load({ value: smallRequest(agent('a', { inputs: { i: text } })), folder: path.join(folder, 'ws') });
    await load({ value: smallRequest(agent('a', { path: text })), folder: path.join(folder, 'ws') });
    await load({ value: { ...smallRequest(), workspace_root: text }, folder: path.join(folder, 'ws') });
  }
  expect(fingerprint(folder)).toBe(before);
});

const slots = (count: number, text: (index: number) => string) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`s${index}`, text(index)]));

// Each of these once took minutes, or all memory.
test.each([
  ['paths of 2,000 parts', [agent('a', { outputs: slots(200, index => `x${index}${'/y'.repeat(2000)}`) })]],
  [
    'one path 60,000 times',
    Array.from({ length: 600 }, (_, at) => agent(`a${at}`, { outputs: slots(100, () => 'o/x') })),
  ],
  [
    '100,000 unknown dependencies',
    Array.from({ length: 1000 }, (_, at) =>
      agent(`agent-${at}`, { needs: Object.values(slots(100, index => `agemt-${at}-${index}`)) }),
    ),
  ],
  [
    'a dense graph',
    Array.from({ length: 800 }, (_, at) => agent(`a${at}`, { needs: Object.values(slots(at, index => `a${index}`)) })),
  ],
])('%s are judged in seconds', async (_, agents) => {
  await load({ value: smallRequest(...agents), folder: path.join(folder, 'ws') });
  expect(fingerprint(folder)).toBe(before);
});
