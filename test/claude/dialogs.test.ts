// What stands between a started Claude Code and its first prompt: named, with a cure and its screen, and no key.

import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { trustFolder } from '../../src/claude/trust-folder.ts';
import { makeFolder } from '../engine/engine-world.ts';
import { type ClaudeRun, makeClaudeRun } from './claude-world.ts';

const LIMIT = { timeout: 60_000 };

// It failed by name, its screen was kept, no model was asked, and the session was not told anything.
function expectObstacle(world: ClaudeRun, name: string, state: string, shows: RegExp) {
  const [end] = world.of('attempt_ended').filter(({ agent }) => agent === name);
  expect(end!.data.outcome).toMatchObject({ status: 'failure', may_retry: false });
  expect(end!.data.outcome.reason).toMatch(new RegExp(`it shows "${state}"\\. \\S.{20,}`));
  expect(
    world
      .kept(name)
      .join('\n')
      .replaceAll(/\u001b\[[\d;]*m/g, ''),
  ).toMatch(shows);
  expect(world.prompts().filter(({ agent }) => agent === name)).toEqual([]);
  expect(world.of('prompt_submitted').filter(({ agent }) => agent === name)).toEqual([]);
}

const config = (world: ClaudeRun) => JSON.parse(readFileSync(path.join(world.home, '.claude.json'), 'utf8'));

test('an untrusted folder and an unaccepted bypass end by name; neither dialog is answered', LIMIT, async () => {
  process.env.IS_SANDBOX = '1'; // as root, bypassPermissions is refused before it is asked about
  const world = await makeClaudeRun('agent', {
    agents: [
      { name: 'stranger' },
      { name: 'reckless', config: { permission_mode: 'bypassPermissions', env: ['IS_SANDBOX'] } },
    ],
    isTrusted: false,
  });
  const projects = { [world.cwd('reckless')]: { hasTrustDialogAccepted: true } };
  const { bypassPermissionsModeAccepted: _, ...seed } = config(world);
  writeFileSync(path.join(world.home, '.claude.json'), JSON.stringify({ ...seed, projects }));
  const report = await world.run();
  expect(report.status).toBe('failure');
  expectObstacle(world, 'stranger', 'trust', /Yes, I trust this folder/);
  expectObstacle(world, 'reckless', 'bypass', /Yes, I accept/);
  expect(report.warnings.map(({ message }) => message)).toContainEqual(expect.stringContaining('bypassPermissions'));
  expect(config(world).projects[world.cwd('stranger')]?.hasTrustDialogAccepted).not.toBe(true);
  expect(config(world).bypassPermissionsModeAccepted).not.toBe(true);
  expect(world.rawLogs()).not.toMatch(/❯ (2\. No|1\. Yes, I accept)/); // the marked option was moved by nobody
});

test('a folder the operator named with --trust starts', LIMIT, async () => {
  const world = await makeClaudeRun('agent', { isTrusted: false });
  expect((await world.run({ trusted: [world.workspace] })).status).toBe('success');
  expect(config(world).projects[world.cwd()]).toMatchObject({ hasTrustDialogAccepted: true });
});

test('of a config, trusting a folder changes that one line; a file it cannot read it leaves alone', async () => {
  const folder = makeFolder();
  const file = path.join(folder, '.claude.json');
  const before = { theme: 'x', projects: { '/other': { a: 1 }, '/mine': { history: [1] } }, oauth: { kept: true } };
  writeFileSync(file, JSON.stringify(before), { mode: 0o600 });
  const trust = () => trustFolder('/mine', { HOME: folder }, folder);
  await trust();
  const projects = { ...before.projects, '/mine': { history: [1], hasTrustDialogAccepted: true } };
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ ...before, projects });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  writeFileSync(file, '{ torn');
  await expect(trust()).rejects.toThrow('not valid JSON');
  expect(readFileSync(file, 'utf8')).toBe('{ torn');
  rmSync(file);
  await trust();
  expect(existsSync(file)).toBe(false);
});

test('a key in the environment that nobody approved is asked about, and Baton does not answer', LIMIT, async () => {
  const env = { ANTHROPIC_API_KEY: 'sk-ant-practice-0000000000-dummy01', ANTHROPIC_AUTH_TOKEN: '' };
  const world = await makeClaudeRun('agent', { env });
  expect((await world.run()).status).toBe('failure');
  expectObstacle(world, 'alpha', 'api_key', /Detected a custom API key/);
  expect(config(world).customApiKeyResponses).toBeUndefined();
});

test('a Claude Code that was never set up is told so, not clicked through', LIMIT, async () => {
  const world = await makeClaudeRun('agent', { isSeeded: false });
  const report = await world.run();
  expect(report.status).toBe('failure');
  expectObstacle(world, 'alpha', 'onboarding', /theme|login|Welcome/i);
});
