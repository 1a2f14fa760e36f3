import { expect, test } from 'vitest';
import { readScreen } from '../../src/screen/read-screen.ts';
import { size } from '../test-size.ts';
import { fixtures } from './fixtures.ts';
import { destructions, disguises, pick, randomFrom } from './mutate.ts';

// The truth about a spoiled screen comes from how it was made, never from the reader: no disguise makes a screen
// that was not idle idle, and a destruction always takes the proof away.
const closed = fixtures.filter(({ expected }) => !expected.safe_to_type && expected.state !== 'login');
const open = fixtures.filter(({ expected }) => expected.safe_to_type);
const rowsOf = (text: string): string[] => text.replace(/\n$/, '').split('\n');

test('no mutation of a screen that must not be typed into is ever safe', () => {
  const random = randomFrom(326);
  const names = Object.keys(disguises);
  const wrong: string[] = [];
  for (let round = 0; round < size(300, 3000); round += 1) {
    const { name, text } = pick(closed, random);
    const steps = Array.from({ length: 1 + Math.floor(random() * 3) }, () => pick(names, random));
    const rows = steps.reduce((before, step) => disguises[step]!(before, random), rowsOf(text));
    if (readScreen(rows.join('\n')).safe_to_type) wrong.push(`${name}: ${steps.join(', ')}`);
  }
  expect(wrong).toEqual([]);
});

test('an idle screen whose box, cursor or mode row is spoiled is not safe', () => {
  const random = randomFrom(2);
  const names = Object.keys(destructions);
  const wrong: string[] = [];
  for (let round = 0; round < size(200, 2000); round += 1) {
    const { name, text } = pick(open, random);
    const step = names[round % names.length]!;
    const quoted = random() < 0.5 ? disguises.quote!(rowsOf(text), random) : rowsOf(text);
    if (readScreen(destructions[step]!(quoted, random).join('\n')).safe_to_type) wrong.push(`${name}: ${step}`);
  }
  expect(wrong).toEqual([]);
});

test('an idle screen of another width than its pane is not safe', () => {
  const random = randomFrom(3);
  for (const { name, text, size: pane } of open) {
    const rows = disguises.cutRight!(rowsOf(text), random);
    if (rows.join('\n') === rowsOf(text).join('\n')) continue;
    const wider = { width: pane.width + 1, height: pane.height };
    expect(readScreen(text, wider).safe_to_type, name).toBe(false);
  }
});

test('what the conversation says changes nothing of what is read around the box', () => {
  const random = randomFrom(4);
  for (const { name, text } of open) {
    const quoted = disguises.quote!(rowsOf(text), random).join('\n');
    const { context, draft, safe_to_type } = readScreen(quoted);
    expect({ context, draft, safe_to_type }, name).toEqual({
      context: readScreen(text).context,
      draft: null,
      safe_to_type: true,
    });
  }
});

test('colours of another theme do not matter', () => {
  for (const { name, text } of open) {
    expect(readScreen(text.replace(/38;5;24[0-9]m/g, '38;5;99m')).safe_to_type, name).toBe(true);
  }
});
