import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { practiceEnvironment, seedPracticeHome } from '../../src/practice/practice-home.ts';
import { startPractice } from '../../src/practice/start-practice.ts';
import { openPractice } from './practice-world.ts';

const bin = fileURLToPath(new URL('../../src/cli/bin.ts', import.meta.url));
let folder: string;

beforeEach(() => {
  folder = realpathSync(mkdtempSync('/tmp/bt-home-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
});

const readConfig = () => JSON.parse(readFileSync(path.join(folder, 'config', '.claude.json'), 'utf8'));

test('trust is given to the folders named, by both names of a link, and kept when more are named', async () => {
  const config = path.join(folder, 'config');
  for (const name of ['a', 'b']) mkdirSync(path.join(folder, name));
  symlinkSync(path.join(folder, 'a'), path.join(folder, 'link'));
  await seedPracticeHome(config, { trusted: [path.join(folder, 'link')] });
  writeFileSync(path.join(config, '.claude.json'), JSON.stringify({ ...readConfig(), numStartups: 7 }));
  await seedPracticeHome(config, { trusted: [path.join(folder, 'b')] });
  const { projects, ...rest } = readConfig();
  expect(Object.keys(projects).toSorted()).toEqual(['a', 'b', 'link'].map(name => path.join(folder, name)));
  expect(Object.values(projects)).toEqual(Array(3).fill(expect.objectContaining({ hasTrustDialogAccepted: true })));
  expect(rest).toMatchObject({ hasCompletedOnboarding: true, numStartups: 7 });
});

test("somebody's own config folder is refused and stays as it is", async () => {
  const config = path.join(folder, 'config');
  mkdirSync(config);
  writeFileSync(path.join(config, '.claude.json'), '{"mine":true}');
  await expect(seedPracticeHome(config, { trusted: [] })).rejects.toMatchObject({ code: 'refused' });
  expect(readConfig()).toEqual({ mine: true });
});

test('the environment has a token and no key, since Claude Code asks about keys', () => {
  const env = practiceEnvironment('http://127.0.0.1:1', '/c');
  expect(env).toMatchObject({ ANTHROPIC_BASE_URL: 'http://127.0.0.1:1', CLAUDE_CONFIG_DIR: '/c' });
  expect(env.ANTHROPIC_AUTH_TOKEN).not.toBe('');
  expect(env).not.toHaveProperty('ANTHROPIC_API_KEY');
});

test('a port that is taken is refused with a cure', async () => {
  const { port } = await openPractice('agent');
  await expect(startPractice({ script: 'agent', port })).rejects.toMatchObject({
    code: 'refused',
    message: expect.stringContaining(String(port)),
    cure: expect.stringContaining('another port'),
  });
});

test('baton practice says that the model is a script, answers, and cleans up after Ctrl-C', async () => {
  const child = spawn(process.execPath, [bin, 'practice', '--script', 'puppet'], {
    cwd: folder,
    env: { ...process.env, TMPDIR: folder },
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: 25_000,
  });
  let said = '';
  const told = new Promise<void>(resolve => {
    child.stdout.on('data', part => {
      said += part;
      if (said.includes('Ctrl-C ends it')) resolve();
    });
  });
  await Promise.race([told, once(child, 'close')]);
  expect(said).toContain('THE MODEL IS A SCRIPT');
  const [, url] = /ANTHROPIC_BASE_URL=(\S+)/.exec(said)!;
  const [, config] = /CLAUDE_CONFIG_DIR=(\S+)/.exec(said)!;
  expect(existsSync(path.join(config!, '.claude.json'))).toBe(true);
  const body = JSON.stringify({ messages: [{ role: 'user', content: 'say hello' }] });
  expect(await (await fetch(`${url}/v1/messages`, { method: 'POST', body })).text()).toContain('hello');
  child.kill('SIGINT');
  const [code] = await once(child, 'close');
  expect(code).toBe(0);
  expect(said).toContain('rule "say"');
  expect(existsSync(config!)).toBe(false);
});
