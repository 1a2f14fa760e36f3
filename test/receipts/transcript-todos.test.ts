// The list a session kept, read from its transcript.

import { expect, test } from 'vitest';
import { todosOf } from '../../src/receipts/transcript-todos.ts';

const call = (id: string, name: string, input: object) => ({
  type: 'assistant',
  message: { content: [{ type: 'tool_use', id, name, input }] },
});
const answer = (id: string, content: string, is_error = false) => ({
  type: 'user',
  message: { content: [{ type: 'tool_result', tool_use_id: id, content, is_error }] },
});

test('the last whole list counts', () => {
  const todos = (...names: string[]) => ({
    todos: names.map(content => ({ content, status: 'pending', activeForm: '' })),
  });
  const records = [
    call('1', 'TodoWrite', todos('old')),
    answer('1', 'ok'),
    call('2', 'TodoWrite', todos('write tests', 'fix it')),
    answer('2', 'ok'),
  ];
  expect(todosOf(records).map(({ text }) => text)).toEqual(['write tests', 'fix it']);
});

test('tasks are made and changed one by one; one that was refused, deleted or of a subagent is none', () => {
  const records = [
    call('1', 'TaskCreate', { subject: 'write tests', description: '' }),
    answer('1', 'Task #7 created successfully: write tests'),
    call('2', 'TaskCreate', { subject: 'never', description: '' }),
    answer('2', '<tool_use_error>Error: No such tool available: TaskCreate.</tool_use_error>', true),
    call('3', 'TaskCreate', { subject: 'fix it', description: '' }),
    answer('3', 'Task #8 created successfully: fix it'),
    call('4', 'TaskCreate', { subject: 'gone', description: '' }),
    answer('4', 'Task #9 created successfully'),
    call('5', 'TaskUpdate', { taskId: '7', status: 'in_progress' }),
    call('6', 'TaskUpdate', { taskId: '9', status: 'deleted' }),
    { ...call('7', 'TaskCreate', { subject: 'a subagent\u2019s' }), isSidechain: true },
  ];
  expect(todosOf(records)).toEqual([
    { text: 'write tests', status: 'in_progress' },
    { text: 'fix it', status: 'pending' },
  ]);
});

test('whatever else stands there is passed over', () => {
  expect(
    todosOf([
      {},
      { type: 'assistant', message: null },
      { type: 'user', message: { content: 'x' } },
      call('1', 'TodoWrite', { todos: 5 }),
    ]),
  ).toEqual([]);
});
