// What Baton says to an agent, and how its transcript reads in a log.

import { expect, test } from 'vitest';
import { dialogCure } from '../../src/conversation/obstacles.ts';
import { againPrompt, nudgePrompt, systemPrompt, taskPrompt } from '../../src/conversation/prompts.ts';
import { renderRecord } from '../../src/conversation/render-transcript.ts';

const task = {
  execution_id: 'e',
  agent_name: 'alpha',
  attempt: 2,
  workspace_root: '/w',
  agent_path: '/a',
  description: 'Write a poem.',
  inputs: { notes: '/w/in/notes.md' },
  outputs: { poem: '/w/out/poem.md', list: '/w/out/list.json' },
  success_criteria: { lines: 3, rhymes: true },
  result_file: '/w/.baton/results/alpha.2/agent_result.json',
};

test('the first prompt has everything: task, inputs, every output and the result by absolute path, criteria', () => {
  const text = taskPrompt(task);
  for (const part of ['Write a poem.', ...Object.values(task.inputs), ...Object.values(task.outputs), task.result_file])
    expect(text).toContain(part);
  expect(text).toContain('criterion "lines": 3');
  expect(text).toContain('"criteria": {"lines": <what you measured>, "rhymes": <what you measured>}');
  const bare = taskPrompt({ ...task, inputs: {}, success_criteria: {} });
  expect(bare).not.toContain('Inputs');
  expect(bare).not.toContain('Success criteria');
  expect(bare).toContain('"criteria": {}');
});

test('no prompt of Baton is taken for a command by Claude Code, whatever the task is called', () => {
  for (const description of ['/clear', '!rm', '#x'])
    for (const text of [taskPrompt({ ...task, description }), nudgePrompt(task, ['/x']), againPrompt(task)])
      expect(text).not.toMatch(/^[/!#]/);
});

test('a nudge names each thing that is missing, and the contract again', () => {
  const text = nudgePrompt(task, ['/w/out/poem.md is missing', 'lines is 2, wanted 3']);
  expect(text).toContain('- /w/out/poem.md is missing\n- lines is 2, wanted 3');
  expect(text).toContain(task.result_file);
});

test('the system prompt has the role first, then who it is; without a role there is no gap', () => {
  expect(systemPrompt(task, '  Be brief.\n')).toMatch(/^Be brief\.\n\nBATON_AGENT: alpha\nBATON_ATTEMPT: 2\n/);
  expect(systemPrompt(task, '')).toMatch(/^BATON_AGENT/);
});

test('an unknown obstacle has a cure too', () => {
  expect(dialogCure('trust')).toContain('--trust');
  expect(dialogCure('unknown')).toContain('baton attach');
});

const record = (type: string, content: unknown, more = {}) => renderRecord({ type, message: { content }, ...more });

test.each([
  ['a prompt', record('user', 'one\ntwo'), '> one\n> two'],
  ['an answer', record('assistant', [{ type: 'text', text: ' Done. ' }]), 'Done.'],
  [
    'a command',
    record('assistant', [{ type: 'tool_use', name: 'Bash', input: { command: 'ls', description: 'd' } }]),
    '* Bash ls',
  ],
  [
    'a file',
    record('assistant', [{ type: 'tool_use', name: 'Write', input: { file_path: '/a', content: 'x' } }]),
    '* Write /a',
  ],
  ['another tool', record('assistant', [{ type: 'tool_use', name: 'T', input: { a: 1 } }]), '* T {"a":1}'],
  ['a result', record('user', [{ type: 'tool_result', content: 'ok\nyes' }]), '  | ok\n  | yes'],
  [
    'an error',
    record('user', [{ type: 'tool_result', is_error: true, content: [{ type: 'text', text: 'no' }] }]),
    '  ! no',
  ],
  ['thinking', record('assistant', [{ type: 'thinking', thinking: 'hm' }]), null],
  ['nothing', record('assistant', [{ type: 'text', text: '  ' }]), null],
  ['bookkeeping', renderRecord({ type: 'file-history-snapshot' }), null],
  ['what the user did not type', record('user', 'x', { isMeta: true }), null],
  ['a subagent', record('assistant', [{ type: 'text', text: 'x' }], { isSidechain: true }), null],
  ['rubbish', record('assistant', [null, 3, 'x', { type: 'text' }]), null],
  ['no message', renderRecord({ type: 'user' }), null],
])('in the log, %s', (_, shown, wanted) => {
  expect(shown).toBe(wanted);
});

test('a very long text is cut and says how long it was', () => {
  expect(record('assistant', [{ type: 'text', text: 'x'.repeat(5000) }])).toMatch(/^x{2000} … \(5000 characters\)$/);
});
