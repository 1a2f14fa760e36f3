import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';

const repository = fileURLToPath(new URL('../..', import.meta.url));
const bin = path.join(repository, 'src', 'cli', 'bin.ts');
const OLD =
  'data:text/javascript,Object.defineProperty(process,"versions",{value:{...process.versions,node:"20.1.0"}})';

// bin.js as the compiler would make it, with a main.js that tells who runs it and how.
let folder: string;
let built: string;

beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'baton-bin-'));
  mkdirSync(path.join(folder, 'dist'));
  built = path.join(folder, 'dist', 'bin.js');
  writeFileSync(path.join(folder, 'package.json'), '{"type":"module"}');
  writeFileSync(built, stripTypeScriptTypes(readFileSync(bin, 'utf8')).replace('./main.ts', './main.js'));
  const main = `export async function main(args) {
    if (args[0] === 'die') process.kill(process.pid, 'SIGKILL');
    if (args[0] === 'wait') { process.on('SIGTERM', () => process.exit(7)); setInterval(() => {}, 1000); }
    console.log(process.version, ...args);
    process.exitCode = args[0] === 'fail' ? 3 : 0;
  }`;
  writeFileSync(path.join(folder, 'dist', 'main.js'), main);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const withBundledNode = () => {
  mkdirSync(path.join(folder, 'node_modules'), { recursive: true });
  if (!existsSync(path.join(folder, 'node_modules', 'node'))) {
    symlinkSync(path.join(repository, 'node_modules', 'node'), path.join(folder, 'node_modules', 'node'));
  }
};

function findOldNode(): string | null {
  const places = [
    '/usr/bin/node',
    '/usr/local/bin/node',
    ...(process.env.PATH ?? '').split(':').map(each => path.join(each, 'node')),
  ];
  return (
    places.find(node => Number(/^v(\d+)/.exec(spawnSync(node, ['-v'], { encoding: 'utf8' }).stdout ?? '')?.[1]) < 22) ??
    null
  );
}

const oldNode = findOldNode();
const olds: [string, string[]][] = [['one that says it is old', [process.execPath, '--import', OLD]]];
if (oldNode !== null) olds.push(['a really old one', [oldNode]]);

test.each(olds)('without a newer Node, %s prints the cure and ends with 69', (_name, [node, ...args]) => {
  rmSync(path.join(folder, 'node_modules'), { recursive: true, force: true });
  const ended = spawnSync(node!, [...args, built, 'x'], { cwd: folder, encoding: 'utf8' });
  expect(ended.status).toBe(69);
  expect(ended.stdout).toBe('');
  expect(ended.stderr).toMatch(
    /Node 20\.\d+\.\d+ is too old; Baton needs Node 22\.22 or newer\.\n {4}cure: .*npm install/,
  );
});

test.each(olds)('%s runs the bundled Node, and ends as it ended', async (_name, [node, ...args]) => {
  withBundledNode();
  const bundled = spawnSync(path.join(repository, 'node_modules', 'node', 'bin', 'node'), ['-v'], { encoding: 'utf8' });
  const run = (word: string) => spawnSync(node!, [...args, built, word, 'a b'], { cwd: os.tmpdir(), encoding: 'utf8' });
  expect(run('ok')).toMatchObject({ status: 0, stdout: `${bundled.stdout.trim()} ok a b\n`, stderr: '' });
  expect(run('fail').status).toBe(3);
  expect(run('die').signal).toBe('SIGKILL');

  const waiting = spawn(node!, [...args, built, 'wait'], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
  await once(waiting.stdout, 'data');
  waiting.kill('SIGTERM');
  expect(await once(waiting, 'exit')).toEqual([7, null]);
});

test('--version prints the version of the package, and --help the help', () => {
  const run = (...args: string[]) => spawnSync(process.execPath, [bin, ...args], { encoding: 'utf8' });
  const { version } = JSON.parse(readFileSync(path.join(repository, 'package.json'), 'utf8'));
  expect(run('--version')).toMatchObject({ status: 0, stdout: `${version}\n`, stderr: '' });
  expect(run('help', 'run').stdout).toBe(run('run', '--help').stdout);
  expect(run('rnu')).toMatchObject({ status: 2, stdout: '' });
});

test('a reader that goes away is no error', async () => {
  const child = spawn(process.execPath, [bin, 'completion', 'bash'], { stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.destroy();
  let complaint = '';
  child.stderr.on('data', chunk => {
    complaint += chunk;
  });
  expect(await once(child, 'close')).toEqual([0, null]);
  expect(complaint).toBe('');
});
