import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { loadScript, scriptNames } from '../../src/practice/load-script.ts';
import { AgentResult } from '../../src/protocol/agent.ts';
import { CtxPack } from '../../src/protocol/ctxpack.ts';
import type { PracticeScript } from '../../src/protocol/practice.ts';
import { type Answer, afterTools, ask, openPractice, post } from './practice-world.ts';

const script = (rules: unknown[], more = {}) => ({ about: 'a test', rules, ...more }) as unknown as PracticeScript;
const rule = (name: string, when: unknown, more = {}) => ({ name, when, steps: [{ say: name }], ...more });
const user = (content: unknown) => ({ role: 'user', content });
const textOf = (answer: Answer) => answer.content.find(({ type }) => type === 'text')?.text;
const callsOf = (answer: Answer) => answer.content.filter(({ type }) => type === 'tool_use');
const contract = [
  'Do the task.',
  '- output "code": /w/out/code.py',
  '- output "facts": /w/out/facts.json',
  '- output "pack": /w/my pack.ctxp',
  '- criterion "tests_pass": true',
  '- criterion "coverage": 0.8',
  'Result file: /w/agent_result.json',
].join('\n');

test('the first rule whose conditions all hold answers; without one, a polite answer comes', async () => {
  const practice = await openPractice(
    script([
      rule('both', { prompt: '^red', system: 'strict' }),
      rule('contains', { contains: 'a.b' }),
      rule('agent', { agent: '^bob$' }),
      rule('second turn', { turn: 2 }),
      rule('second session', { session: 2 }),
      rule('red', { prompt: '^red' }),
    ]),
  );
  const said = async (prompt: string, more = {}) => textOf(await ask(practice, prompt, more));
  expect(await said('red', { system: 'be strict' })).toBe('both');
  expect(await said('red')).toBe('red');
  expect(await said('not red')).toMatch(/practice script, not a model/);
  expect(await said('a.b')).toBe('contains');
  expect(await said('axb')).toMatch(/practice script/);
  expect(await said('x', { system: 'BATON_AGENT: bob' })).toBe('agent');
  expect(await said('x', { system: 'BATON_AGENT: bobby' })).toMatch(/practice script/);
  expect(await said('x', { messages: [user('x'), { role: 'assistant', content: 'y' }, user('z')] })).toBe(
    'second turn',
  );
  expect(await said('x', { session: 'two' })).toBe('second session');
});

test('a rule answers as often as `times` says, in each session', async () => {
  const practice = await openPractice(script([rule('twice', {}, { times: 2 }), rule('then', {})]));
  const said = async (session: string) => textOf(await ask(practice, 'x', { session }));
  expect([
    await said('a'),
    await said('a'),
    await said('b'),
    await said('a'),
    await said('b'),
    await said('b'),
  ]).toEqual(['twice', 'twice', 'twice', 'then', 'twice', 'then']);
});

test('steps follow one another with each tool result, and a request sent again gets the same step', async () => {
  const tool = (n: number) => ({ tools: [{ name: 'Write', input: { file_path: '{{file}}', content: `${n}` } }] });
  const rules = [
    { name: 'w', when: { prompt: 'to (?<file>\\S+)' }, steps: [tool(1), tool(2), { say: 'did {{file}}' }] },
  ];
  const practice = await openPractice(script(rules));
  let messages: unknown[] = [user('write to /a/b')];
  const seen: unknown[] = [];
  for (let n = 0; n < 3; n += 1) {
    await ask(practice, '', { messages });
    const answer = await ask(practice, '', { messages });
    seen.push(callsOf(answer)[0]?.input ?? textOf(answer));
    messages = afterTools(messages, answer);
  }
  expect(seen).toEqual([{ file_path: '/a/b', content: '1' }, { file_path: '/a/b', content: '2' }, 'did /a/b']);
});

test('after a last step that called a tool, the rules behind it are tried with the same prompt', async () => {
  const practice = await openPractice('asker', { command: 'date' });
  const messages = [user(contract)];
  const first = await ask(practice, '', { messages });
  expect(callsOf(first).map(({ name, input }) => [name, input!.command])).toEqual([['Bash', 'date']]);
  const second = await ask(practice, '', { messages: afterTools(messages, first) });
  expect(callsOf(second).map(({ name }) => name)).toEqual(['Write', 'Write', 'Write']);
});

test('a tool result can change the course', async () => {
  const practice = await openPractice(
    script([
      { name: 'denied', when: { tool_result: 'denied by (\\w+)' }, steps: [{ say: 'Then not, {{1}}.' }] },
      { name: 'run', steps: [{ tools: [{ name: 'Bash', input: { command: 'x' } }] }, { say: 'Ran.' }] },
    ]),
  );
  const first = await ask(practice, 'go');
  const after = async (result: string) =>
    textOf(await ask(practice, '', { messages: afterTools([user('go')], first, result) }));
  expect(await after('fine')).toBe('Ran.');
  expect(await after('denied by policy')).toBe('Then not, policy.');
});

test('what is typed during a turn changes its course only where a rule speaks of it', async () => {
  const practice = await openPractice('puppet');
  const first = await ask(practice, 'run ls');
  const typed = async (text: string) => {
    const messages = afterTools([user('run ls')], first) as { content: unknown[] }[];
    const around = [
      `The user sent a new message while you were working:\n${text}\n\n`,
      'This is how Claude Code surfaces messages',
    ];
    messages.at(-1)!.content.push({ type: 'text', text: around.join('') });
    return textOf(await ask(practice, '', { messages }));
  };
  expect(await typed('how is it going?')).toBe('I ran it.');
  expect(await typed('say stop')).toBe('stop');
  expect(practice.requests().at(-1)).toMatchObject({ kind: 'prompt', text: 'say stop', turn: 2 });
});

test('a prompt after an interruption is a prompt of its own', async () => {
  const practice = await openPractice('puppet');
  const first = await ask(practice, 'run sleep 60');
  const messages = afterTools([user('run sleep 60')], first, 'was stopped') as { content: unknown[] }[];
  for (const text of ['[Request interrupted by user for tool use]', 'say hi']) {
    messages.at(-1)!.content.push({ type: 'text', text });
  }
  expect(textOf(await ask(practice, '', { messages }))).toBe('hi');
});

test('the context grows by the step given, and starts anew in a new conversation', async () => {
  const practice = await openPractice('grower', { start: 10_000, step: 30_000 });
  const turns = (count: number) =>
    Array.from({ length: count }, () => [user('x'), { role: 'assistant', content: 'y' }])
      .flat()
      .slice(0, -1);
  for (const count of [1, 2, 3]) await post(practice, { messages: turns(count) });
  await post(practice, { messages: turns(1), session: 'after-clear' });
  expect(practice.requests().map(({ context }) => context)).toEqual([10_000, 40_000, 70_000, 10_000]);
});

test('the obedient agent writes every output in its format, then a valid result', async () => {
  const practice = await openPractice('agent');
  const first = await ask(practice, contract, { system: 'BATON_AGENT: bob' });
  const files = Object.fromEntries(callsOf(first).map(({ input }) => [input!.file_path, input!.content!]));
  expect(Object.keys(files).toSorted()).toEqual(['/w/my pack.ctxp', '/w/out/code.py', '/w/out/facts.json']);
  expect(JSON.parse(files['/w/out/facts.json']!)).toMatchObject({ by: 'bob', slot: 'facts' });
  CtxPack.parse(JSON.parse(files['/w/my pack.ctxp']!));
  const messages = afterTools([user(contract)], first);
  const second = await ask(practice, '', { messages });
  const [result] = callsOf(second);
  expect(result!.input!.file_path).toBe('/w/agent_result.json');
  const { status, criteria } = AgentResult.parse(JSON.parse(result!.input!.content!));
  expect({ status, criteria }).toEqual({ status: 'success', criteria: { tests_pass: true, coverage: 0.8 } });
  const third = await ask(practice, '', { messages: afterTools(messages, second) });
  expect([third.stop_reason, textOf(third)]).toEqual(['end_turn', expect.stringContaining('Done')]);
});

test('where Claude Code wants a file read before it is written, the agent reads and writes again', async () => {
  const practice = await openPractice('agent');
  const first = await ask(practice, contract);
  const refused = afterTools(
    [user(contract)],
    first,
    'File has not been read yet. Read it first before writing to it.',
  );
  const second = await ask(practice, '', { messages: refused });
  expect(callsOf(second).map(({ name }) => name)).toEqual(['Read', 'Read', 'Read', 'Read']);
  const third = await ask(practice, '', { messages: afterTools(refused, second) });
  expect(callsOf(third).map(({ input }) => input)).toEqual(callsOf(first).map(({ input }) => input));
});

test('a contract that names only the result is met by the result alone', async () => {
  const practice = await openPractice('agent');
  const answer = await ask(practice, 'Result file: /w/agent_result.json');
  expect(callsOf(answer).map(({ input }) => input!.file_path)).toEqual(['/w/agent_result.json']);
});

test('the liar claims all and calls nothing', async () => {
  const practice = await openPractice('liar');
  const answer = await ask(practice, contract);
  expect([callsOf(answer), textOf(answer)]).toEqual([[], expect.stringContaining('agent_result.json')]);
});

test('the grower writes a handoff document with the id it was given', async () => {
  const practice = await openPractice('grower');
  const messages = [user('Please write /w/docs/HANDOFF.md now. First line after the title:\nHandoff-Id: h-42')];
  const first = await ask(practice, '', { messages });
  expect(callsOf(first)[0]).toMatchObject({ name: 'Read', input: { file_path: '/w/docs/HANDOFF.md' } });
  const second = await ask(practice, '', { messages: afterTools(messages, first) });
  expect(callsOf(second)[0]).toMatchObject({ name: 'Write', input: { file_path: '/w/docs/HANDOFF.md' } });
  expect(callsOf(second)[0]!.input!.content).toMatch(/^Handoff-Id: h-42$/m);
  const resumed = await ask(practice, 'Resume: read /w/docs/HANDOFF.md first.', { session: 'new' });
  expect(callsOf(resumed)[0]).toMatchObject({ name: 'Read', input: { file_path: '/w/docs/HANDOFF.md' } });
});

test('the storm passes after the number of errors that was set', async () => {
  const practice = await openPractice('storm', { times: 4 });
  const statuses: number[] = [];
  for (let n = 0; n < 5; n += 1) statuses.push((await post(practice, { messages: [user('x')] })).status);
  expect(statuses).toEqual([529, 529, 529, 529, 200]);
});

test('a request to compact is answered with a summary and no tool, and a title uses up no rule', async () => {
  const practice = await openPractice(script([rule('once', {}, { times: 1 })]));
  expect(textOf(await ask(practice, 'CRITICAL: Respond with TEXT ONLY. Do NOT call any tools.'))).toMatch(/^<summary>/);
  const headers = { 'x-claude-code-session-id': 'one' };
  const body = JSON.stringify({ messages: [user('<conversation>x</conversation>')] });
  await fetch(`${practice.url}/v1/messages`, { method: 'POST', headers, body });
  expect(textOf(await ask(practice, 'x'))).toBe('once');
  expect(practice.requests().map(({ kind }) => kind)).toEqual(['compact', 'side', 'prompt']);
});

test('every script that is shipped can be loaded and says what it is', async () => {
  const names = await scriptNames();
  expect(names).toEqual(expect.arrayContaining(['agent', 'asker', 'grower', 'liar', 'plan', 'puppet', 'question']));
  for (const name of names) expect((await loadScript(name)).about, name).not.toBe('');
});

test('a script that is wrong is refused with its file, its field and a cure', async () => {
  const folder = mkdtempSync('/tmp/bt-script-');
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = path.join(folder, 'mine.json');
  const refused = (value: unknown) => {
    writeFileSync(file, JSON.stringify(value));
    return loadScript(file);
  };
  await expect(refused(script([rule('x', { prompt: '(' })]))).rejects.toThrow(
    /mine\.json.*rules\.0\.when\.prompt: is no regular/,
  );
  await expect(refused(script([rule('x', { promt: 'a' })]))).rejects.toThrow(/rules\.0\.when.*promt/);
  await expect(refused(script([], { follow: file }))).rejects.toThrow(/circle/);
  await expect(loadScript('nobody')).rejects.toMatchObject({ code: 'invalid', cure: expect.stringContaining('agent') });
  await expect(loadScript('grower', { stepp: 1 })).rejects.toMatchObject({ cure: 'its variables: start, step' });
});

test('a placeholder without a value is told to whoever asks', async () => {
  const practice = await openPractice(script([{ name: 'x', steps: [{ say: '{{nothing}}' }] }]));
  const response = await post(practice, { messages: [user('x')] });
  expect(response.status).toBe(500);
  expect(await response.text()).toContain('{{nothing}}');
});

test('what a tool result told is known in every step of the rule that heard it: the sample obeys the answer', async () => {
  const practice = await openPractice('sample');
  const system = 'BATON_AGENT: frontend';
  const task = [
    'Task: Change what visitors see.',
    '- input "plan": /w/plan.md',
    '- output "site": /w/site',
    'Result file: /w/result.json',
  ].join('\n');
  let messages: unknown[] = [user(task)];
  let last: Answer | null = null;
  const next = async (result?: string) => {
    if (last !== null) messages = afterTools(messages, last, result);
    last = await ask(practice, task, { system, messages });
    return last;
  };
  expect(callsOf(await next())[0]!.name).toBe('AskUserQuestion');
  const told = 'User has answered your questions: "Which look should the first page have?"="light". You can go on.';
  expect(textOf(await next(told))).toContain('A light theme');
  const written = JSON.stringify(callsOf(await next()));
  expect(written).toContain('theme = light');
  expect(JSON.stringify(callsOf(await next()))).toContain('A light theme and a first page.');
});
