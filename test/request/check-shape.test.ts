// Every way a request can have the wrong shape, and the words for it.

import { expect, test } from 'vitest';
import { checkAgentConfig, checkShape } from '../../src/request/check-shape.ts';
import { smallRequest } from './small-request.ts';

// biome-ignore lint/suspicious/noExplicitAny: wrong shapes on purpose
type Change = (request: any) => unknown;

function told(change: Change): string[] {
  const request = smallRequest();
  const changed = change(request);
  const { problems } = checkShape(
    typeof changed === 'object' && changed !== null && 'whole' in changed ? changed.whole : request,
  );
  return problems.map(problem => `${problem.path} | ${problem.message} | ${problem.cure}`);
}

const whole = (value: unknown) => ({ whole: value });

test('a good request is taken, with its defaults', () => {
  const { request, problems } = checkShape(smallRequest());
  expect(problems).toEqual([]);
  expect(request?.agents[0]?.timeout).toBe(3600);
  expect(request?.execution_options).toMatchObject({ parallel_limit: 4, max_retries: 2, log_level: 'info' });
});

test.each<[string, Change]>([
  [' | the top level must be an object { … }, but is a list | write an object { … }', () => whole([])],
  [' | the top level must be an object { … }, but is null | write an object { … }', () => whole(null)],
  [' | the top level must be an object { … }, but is the text "x" | write an object { … }', () => whole('x')],
  ['execution_id | "execution_id" is missing; it must be a text | add "execution_id"', r => delete r.execution_id],
  [
    'execution_id | "execution_id" must be a text, but is the number 7 | put it in double quotes: "7"',
    r => (r.execution_id = 7),
  ],
  ['agents | "agents" is empty | write at least one item', r => (r.agents = [])],
  ['agents | "agents" must be a list [ … ], but is an object | write a list [ … ]', r => (r.agents = {})],
  [
    'agents | "agents" has 1,001 items; at most 1,000 are allowed | make it shorter',
    r => (r.agents = Array(1001).fill(r.agents[0])),
  ],
  ['agents[1] | agents[1] must be an object { … }, but is the number 5 | write an object { … }', r => r.agents.push(5)],
  ['agents[0].task | "task" is missing; it must be an object { … } | add "task"', r => delete r.agents[0].task],
  ['agents[0].task.description | "description" is empty | write a text', r => (r.agents[0].task.description = '')],
  [
    'agents[0].timeout | "timeout" must be a number, but is the text "60" | write it without quotes: 60',
    r => (r.agents[0].timeout = '60'),
  ],
  [
    'agents[0].timeout | "timeout" is -1, but must be more than 0 | write a number that is more than 0',
    r => (r.agents[0].timeout = -1),
  ],
  [
    'agents[0].timeout | "timeout" is too large a number | write a smaller number',
    r => (r.agents[0].timeout = Infinity),
  ],
  [
    'agents[0].dependencies | "dependencies" must be a list [ … ], but is the text "b" | put it into a list: ["b"]',
    r => (r.agents[0].dependencies = 'b'),
  ],
  [
    'agents[0].dependancies | unknown key "dependancies"; did you mean "dependencies"? | rename it to "dependencies"',
    r => (r.agents[0].dependancies = []),
  ],
  [
    'parallel_limit | unknown key "parallel_limit"; it is known in execution_options | move it to execution_options',
    r => (r.parallel_limit = 3),
  ],
  [
    'agents[0].outputs | unknown key "outputs"; it is known in agents[].task | move it to agents[].task',
    r => (r.agents[0].outputs = {}),
  ],
  [
    'agents[0].colour | unknown key "colour" | remove it; the keys known here are agent_name, agent_path, task, dependencies and timeout',
    r => (r.agents[0].colour = 1),
  ],
  [
    'agents[0].task.output | unknown key "output"; did you mean "outputs"? | rename it to "outputs"',
    r => (r.agents[0].task.output = {}),
  ],
  [
    'execution_options.maxRetries | unknown key "maxRetries"; did you mean "max_retries"? | rename it to "max_retries"',
    r => (r.execution_options = { maxRetries: 1 }),
  ],
  [
    'execution_options.max_retries | "max_retries" is 99, but must be at most 10 | write a number that is at most 10',
    r => (r.execution_options = { max_retries: 99 }),
  ],
  [
    'execution_options.parallel_limit | "parallel_limit" must be a whole number, but is the number 2.5 | write a whole number',
    r => (r.execution_options = { parallel_limit: 2.5 }),
  ],
  [
    'execution_options.retry_on_failure | "retry_on_failure" must be true or false, but is the text "True" | write it without quotes: true',
    r => (r.execution_options = { retry_on_failure: 'True' }),
  ],
  [
    'execution_options.log_level | "log_level" must be one of "debug", "info", "warn" or "error", but is the text "warning" | write "warn"',
    r => (r.execution_options = { log_level: 'warning' }),
  ],
  [
    'merge_strategy.type | "type" must be one of "ctxpack_union", "file_merge" or "report_aggregation", but is the text "zip" | write one of "ctxpack_union", "file_merge" or "report_aggregation"',
    r => (r.merge_strategy = { type: 'zip' }),
  ],
  [
    'request_timestamp | "request_timestamp" is "noon", which is no point in time | write it like "2025-10-30T14:30:00Z"',
    r => (r.request_timestamp = 'noon'),
  ],
  [
    'agents[0].agent_name | "agent_name" is "my agent", but must start with a letter or digit and hold only letters, digits, "_" and "-" (64 at most) | choose another name, e.g. "my-agent"',
    r => (r.agents[0].agent_name = 'my agent'),
  ],
  [
    'agents[0].task.inputs["1 a"] | the key "1 a" is not allowed here: it must start with a letter and hold only letters, digits, "_", "." and "-" (64 at most) | choose another name, e.g. "a"',
    r => (r.agents[0].task.inputs = { '1 a': 'x' }),
  ],
  [
    'agents[0].task.inputs.code | "code" must be a text, but is a list | write a text',
    r => (r.agents[0].task.inputs = { code: ['x'] }),
  ],
  [
    'agents[0].task.success_criteria.ok | "ok" must be true or false, a number or a text, but is null | write true or false, a number or a text',
    r => (r.agents[0].task.success_criteria = { ok: null }),
  ],
  [
    'agents[0].task.success_criteria[""] | a key is empty | give it a name',
    r => (r.agents[0].task.success_criteria = { '': true }),
  ],
  [
    'agents[0].task.success_criteria["\\u001b[2J"] | the key "\\u001b[2J" holds a control character | remove it',
    r => (r.agents[0].task.success_criteria = { '\u001b[2J': true }),
  ],
  ['agents[0].agent_path | "agent_path" is empty | write a path', r => (r.agents[0].agent_path = '')],
  [
    'agents[0].agent_path | "agent_path" ("~/a") starts with "~", which is not expanded here | write the full path',
    r => (r.agents[0].agent_path = '~/a'),
  ],
  [
    'agents[0].agent_path | "agent_path" ("a/../b") holds ".." | write the path without going up',
    r => (r.agents[0].agent_path = 'a/../b'),
  ],
  [
    'agents[0].agent_path | "agent_path" ("a\\u0000b") holds a NUL character | remove it',
    r => (r.agents[0].agent_path = 'a\0b'),
  ],
  [
    'agents[0].agent_path | "agent_path" ("a\\u001bb") holds a control character | remove it',
    r => (r.agents[0].agent_path = 'a\u001bb'),
  ],
  [
    'agents[0].agent_path | agent_path holds half a character (a lone surrogate such as \\ud800) | remove it or write the whole character',
    r => (r.agents[0].agent_path = 'a\ud800'),
  ],
  [
    'agents[0].task.description | description holds a NUL character | remove it',
    r => (r.agents[0].task.description = 'a\0'),
  ],
])('%s', (expected, change) => {
  expect(told(change)).toEqual([expected]);
});

test('all problems are told at once', () => {
  const paths = told(r => {
    r.execution_id = 5;
    r.extra = 1;
    r.agents[0].task.inputs = { a: '~', b: 1 };
    r.agents.push({ agent_name: 'x' });
  }).map(line => line.split(' | ')[0]);
  expect(paths).toEqual([
    'execution_id',
    'agents[0].task.inputs.a',
    'agents[0].task.inputs.b',
    'agents[1].agent_path',
    'agents[1].task',
    'extra',
  ]);
});

test.each<[unknown, string]>([
  [[], 'the top level must be an object { … }, but is a list'],
  [
    { provider: 'comand' },
    '"provider" must be one of "claude", "claude-headless" or "command", but is the text "comand"',
  ],
  [{ command: [] }, '"command" is empty'],
  [{ command: 'run.sh' }, '"command" must be a list [ … ], but is the text "run.sh"'],
  [{ comand: ['x'] }, 'unknown key "comand"; did you mean "command"?'],
  [
    { checks: { ok: { command: ['x'], read: 'sum' } } },
    '"read" is "sum", but must be "exit", "number" or "json:" with the path of a field',
  ],
  [{ checks: { ok: { comand: ['x'] } } }, '"command" is missing; it must be a list [ … ]'],
  [{ cwd: '../x' }, '"cwd" ("../x") holds ".."'],
  [{ env: ['A B'] }, 'env[0] is "A B", which does not fit /^[A-Za-z_][A-Za-z0-9_]*$/'],
])('agent.json %j is refused: %s', (value, message) => {
  const { config, problems } = checkAgentConfig(value);
  expect(config).toBeNull();
  expect(problems[0]?.message).toBe(message);
});
