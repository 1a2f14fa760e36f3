// The practice model with the real Claude Code: what only the real program can show.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { makeWorld, openPane, openPractice, runHeadless } from './practice-world.ts';

test('claude -p does a whole task: outputs, result, tokens and cost', async () => {
  const practice = await openPractice('agent');
  const world = await makeWorld(practice);
  const file = (name: string) => path.join(world.work, name);
  const prompt = `Do it.\n- output "code": ${file('out/code.txt')}\nResult file: ${file('agent_result.json')}`;
  const { code, stdout } = await runHeadless(world, [
    ...['--output-format', 'json', '--permission-mode', 'acceptEdits'],
    ...['--append-system-prompt', 'BATON_AGENT: bob', prompt],
  ]);
  expect(JSON.parse(stdout)).toMatchObject({ is_error: false, result: expect.stringContaining('Done') });
  expect(code).toBe(0);
  expect(readFileSync(file('out/code.txt'), 'utf8')).toContain('Agent: bob');
  expect(JSON.parse(readFileSync(file('agent_result.json'), 'utf8'))).toMatchObject({ status: 'success' });
  const requests = practice.requests();
  expect(requests.map(({ kind }) => kind)).toEqual(['prompt', 'tool_result', 'tool_result']);
  expect(requests[0]).toMatchObject({
    agent: 'bob',
    streamed: true,
    text: prompt,
    session: JSON.parse(stdout).session_id,
  });
});

test('files that exist already are written anew', async () => {
  const practice = await openPractice('agent');
  const world = await makeWorld(practice);
  const file = (name: string) => path.join(world.work, name);
  for (const name of ['a.md', 'agent_result.json']) writeFileSync(file(name), 'old');
  const prompt = `Do it.\n- output "a": ${file('a.md')}\nResult file: ${file('agent_result.json')}`;
  await runHeadless(world, ['--permission-mode', 'acceptEdits', prompt]);
  expect(readFileSync(file('a.md'), 'utf8')).toContain('practice script');
  expect(readFileSync(file('agent_result.json'), 'utf8')).toContain('success');
});

test('an error that stays reaches the caller of claude -p', async () => {
  const practice = await openPractice('puppet');
  const world = await makeWorld(practice);
  world.env.CLAUDE_CODE_MAX_RETRIES = '1'; // with a token, Claude Code tries ten times even after a 401
  const { code, stdout } = await runHeadless(world, ['--output-format', 'json', 'error unauthorized']);
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({ is_error: true, api_error_status: 401 });
});

test('in a pane no dialog comes first, a permission is asked for, and the file is really written', async () => {
  const practice = await openPractice('puppet');
  const world = await makeWorld(practice);
  const file = path.join(world.work, 'note.txt');
  const pane = openPane(world, ['--permission-mode', 'default']);
  await pane.seen(/^❯\s*$/m);
  await sleep(300); // keys of the first moments after the box is drawn are lost
  pane.keys('-l', `write ${file} practised`);
  await pane.seen(/❯\s*write .*practised/);
  pane.keys('Enter');
  await pane.seen(/Do you want to create note\.txt\?/);
  expect(existsSync(file)).toBe(false);
  await sleep(600); // a dialog takes no key in its first 200 ms
  pane.keys('Enter');
  await pane.seen(/● I wrote it\./);
  expect(readFileSync(file, 'utf8')).toBe('practised\n');
  expect(practice.requests().map(({ kind, rule }) => [kind, rule])).toEqual([
    ['prompt', 'write'],
    ['tool_result', 'write'],
  ]);
}, 60_000);
