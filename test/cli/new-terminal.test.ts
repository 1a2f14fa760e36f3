// `baton new request` asks on a real terminal, which is a tmux of the test's own; and the pages keep within it.

import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { afterAll, expect, test, vi } from 'vitest';
import { bin, makeCliWorld, patience, until } from './cli-world.ts';

vi.setConfig(patience);
const world = makeCliWorld();
const tmux = (...args: string[]) =>
  spawnSync('tmux', ['-S', world.at('terminal'), '-f', '/dev/null', ...args], { encoding: 'utf8' });
afterAll(() => {
  tmux('kill-server');
  world.end();
});

function open(name: string, [columns, rows]: [number, number], args: string) {
  const variables = Object.entries(world.env).flatMap(([key, value]) => ['-e', `${key}=${value}`]);
  const line = `cd '${world.folder}' && '${process.execPath}' '${bin}' ${args}; echo "ended with $?"; exec cat`;
  tmux(
    'new-session',
    '-d',
    '-s',
    name,
    '-x',
    String(columns),
    '-y',
    String(rows),
    ...variables,
    '--',
    'sh',
    '-c',
    `trap : INT; ${line}`,
  );
  const screen = () => tmux('capture-pane', '-p', '-J', '-S', '-200', '-t', name).stdout;
  return {
    screen,
    shows: (words: RegExp) =>
      until(
        () => words.test(screen()),
        () => `${words} in:\n${screen()}`,
      ),
    answer: async (question: RegExp, text: string) => {
      await until(
        () => question.test(screen()),
        () => `${question} in:\n${screen()}`,
      );
      if (text !== '') tmux('send-keys', '-t', name, '-l', text);
      tmux('send-keys', '-t', name, 'Enter');
    },
  };
}

test('a request is asked for at 80x24, wrong answers are asked again, and explain fits 40x12', async () => {
  const terminal = open('ask', [80, 24], 'new request asked.json --provider command');
  await terminal.answer(/Name of the execution\?/, 'asked-1');
  await terminal.answer(/Agents, by name\?/, 'not/a/name');
  await terminal.answer(/"not\/a\/name"[\s\S]*by name\?/, 'one two');
  await terminal.answer(/What is one to do\?/, 'Do the first.');
  await terminal.answer(/before one\?/, '');
  await terminal.answer(/does one make\?/, '');
  await terminal.answer(/What is two to do\?/, 'Do the second.');
  await terminal.answer(/before two\?/, 'one');
  await terminal.answer(/does two make\?/, '');
  await terminal.shows(/then: baton run --request asked\.json\n+ended with 0/);
  const request = JSON.parse(readFileSync(world.at('asked.json'), 'utf8'));
  expect(request.agents.map((agent: { dependencies: string[] }) => agent.dependencies)).toEqual([[], ['one']]);
  const narrow = open('narrow', [40, 12], 'explain asked.json');
  await narrow.shows(/ended with 0/);
  expect(narrow.screen()).toContain('╰─●  two');
});

test('Ctrl-C at a question writes nothing', async () => {
  const terminal = open('leave', [80, 24], 'new request left.json');
  await terminal.shows(/Name of the execution\?/);
  tmux('send-keys', '-t', 'leave', 'C-c');
  await terminal.shows(/nothing was written[\s\S]*ended with 130/);
  expect(existsSync(world.at('left.json'))).toBe(false);
});
