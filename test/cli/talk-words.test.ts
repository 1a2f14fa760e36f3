// What is said to and asked of people who talk to agents, without any pane; and the dialogs that take no digit.

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { answerQuestion } from '../../src/claude/answer.ts';
import { unfitness } from '../../src/claude/deliver.ts';
import { sendCure } from '../../src/cli/command/send.ts';
import { chooseOption, type OpenPrompt, promptLines } from '../../src/cli/prompt-lines.ts';
import { choosePane } from '../../src/engine/find-pane.ts';
import { Fault } from '../../src/protocol/fault.ts';
import { readQuestion } from '../../src/screen/read-question.ts';
import { colourless } from '../../src/text/paint.ts';
import type { PaneDoor } from '../../src/tmux/pane-door.ts';
import type { PaneFact } from '../../src/tmux/tmux.ts';

const question = {
  kind: 'permission' as const,
  title: 'Bash command\nrm -rf build\nDo you want to proceed?',
  options: ['Yes', 'Yes, and always', 'No'].map((label, at) => ({ number: at + 1, label })),
  digest: '0123456789abcdef',
  asked_at: '2026-01-01T00:00:00.000Z',
};

test.each([
  ['2', 2],
  ['yes', 1],
  ['YES, AND', 2],
  ['n', 3],
])('the option "%s" is number %i', (wanted, number) => {
  expect(chooseOption(question, wanted).number).toBe(number);
});

test.each([
  ['0', 'there is no option 0'],
  ['4', 'there is no option 4'],
  ['y', '"y" fits the options 1, 2'],
  ['maybe', 'no option begins with "maybe"'],
  [' ', 'no option begins with " "'],
])('the option "%s" is refused: %s', (wanted, message) => {
  const choose = () => chooseOption(question, wanted);
  expect(choose).toThrow(Fault);
  expect(choose).toThrow(message);
});

test('a question is wrapped to the width, never cut, and carries no terminal sequences', () => {
  const command = `echo ${'x'.repeat(150)} && rm -rf everything`;
  const prompt: OpenPrompt = {
    ...question,
    title: `Bash command\n\u001b[8m${command}\u001b[0m`,
    execution_id: 'e',
    agent_name: 'a',
    pane: '%1',
    held_by: 'ann',
    answer: 'baton answer e/a --question 01234567',
  };
  const lines = promptLines([prompt], { now: Date.parse(question.asked_at) + 65_000, width: 60, paint: colourless });
  expect(lines[0]).toBe('e/a asks for a permission, for 1:05');
  expect(lines[1]).toContain('held by ann');
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(60);
  const shown = lines.filter(line => line.startsWith('  │ ')).map(line => line.slice(4));
  expect(shown.join('')).toBe(`Bash command${command}`);
  expect(lines.at(-1)).toBe('  answer: baton answer e/a --question 01234567 OPTION');
});

const fact = (more: Partial<PaneFact>, tags: Partial<PaneFact['tags']> = {}): PaneFact => ({
  session: 's',
  pane: '%1',
  pid: 10,
  isDead: false,
  ...more,
  tags: { execution: 'e', workspace: '/w', agent: 'a', attempt: 1, ...tags },
});

test('a pane is the agent’s only when its id and all its tags agree', () => {
  const meant = { workspace: '/w', agent: { agent_name: 'a', attempt: 1, pane: '%1' } };
  expect(choosePane([fact({ pane: '%2' }), fact({})], meant)?.pane).toBe('%1');
  const others = [
    fact({ pane: '%2' }),
    fact({ isDead: true }),
    fact({}, { workspace: '/v' }),
    fact({}, { agent: 'b' }),
    fact({}, { attempt: 2 }),
  ];
  for (const other of others) expect(choosePane([other], meant), JSON.stringify(other)).toBeNull();
});

test.each(['/clear', '!rm x', '#note'])('"%s" is sent only on purpose', text => {
  const refusal = unfitness(text, false)!;
  expect(refusal.state).toBe('text');
  expect(sendCure(refusal, 'e/a')).toContain('--slash');
  expect(unfitness(text, true)).toBeNull();
});

test('a text with an escape in it is never sent', () => {
  expect(unfitness('harmless \u001b[201~\r', true)?.why).toContain('U+001b');
});

test.each([
  ['held', 'baton unhold e/a'],
  ['busy', '--wait 60'],
  ['permission', 'baton answer e/a'],
  ['draft', 'baton attach e/a'],
  ['trust', 'baton attach e/a -r'],
])('what is refused as "%s" has a cure with %s', (state, cure) => {
  expect(sendCure({ outcome: 'refused', state, why: '', screen: '' }, 'e/a')).toContain(cure);
});

// A pane that shows one capture for ever and counts the keys it gets.
function stillPane(name: string): { pane: PaneDoor; keys: string[]; text: string } {
  const text = readFileSync(new URL(`../fixtures/screens/2.1.326/${name}`, import.meta.url), 'utf8');
  const keys: string[] = [];
  const pane: PaneDoor = {
    identity: { socket: '', pane: '%1', pid: 1 },
    look: async () => ({ text, width: 80, height: 24, isInMode: false, isDead: false, pid: 1, holder: null }),
    paste: async () => 'nothing',
    type: async () => 'nothing',
    press: async key => (keys.push(key) > 0 ? 'sent' : 'nothing'),
    hold: async () => true,
  };
  return { pane, keys, text };
}

test.each([
  ['question-many.80x24.default.txt', 1, 'ticked'],
  ['question.80x24.default.txt', 3, 'to be typed'],
  ['question-typed-answer.80x24.default.txt', 1, 'somebody types'],
])('%s gets no digit for option %i, because it would not answer', async (name, number, why) => {
  const { pane, keys, text } = stillPane(name);
  const answered = await answerQuestion(pane, readQuestion(text)!.digest, number);
  expect(answered).toMatchObject({ outcome: 'refused', why: expect.stringContaining(why) });
  expect(keys).toEqual([]);
});

test('a question that stays after the key was not answered', async () => {
  const { pane, keys, text } = stillPane('permission-bash.80x24.default.txt');
  const answered = await answerQuestion(pane, readQuestion(text)!.digest, 1);
  expect(answered).toMatchObject({ outcome: 'failed' });
  expect(keys).toEqual(['1']);
});
