import { expect, test } from 'vitest';
import { readStatusLine, readStatusRows } from '../../src/screen/status-line.ts';
import { size } from '../test-size.ts';
import { pick, type Random, randomFrom } from './mutate.ts';

const known: [string, Partial<Exclude<ReturnType<typeof readStatusLine>, null>>][] = [
  ['context: 45.2k tokens (23%)', { tokens: 45_200, percent: 23, window: null, is_new: false, session: null }],
  ['  context: 45.2k tokens (23%) sid=8042eb38', { tokens: 45_200, percent: 23, session: '8042eb38' }],
  ['context: new', { tokens: null, percent: null, is_new: true }],
  ['context: 45,2k tokens (23%)', { tokens: 45_200, percent: 23 }],
  ['context: 1.2M tokens (60%)', { tokens: 1_200_000, percent: 60 }],
  ['context: 45213 tokens (23%)', { tokens: 45_213, percent: 23 }],
  ['context: 45,213 tokens', { tokens: 45_213, percent: null }],
  ['Ctx: 45.2k | Ctx: 23.0% | ⎇ main', { tokens: 45_200, percent: 23 }],
  ['Model: Opus 5.5 | Ctx: 45.2k | ⎇ main | (+10,-5)', { tokens: 45_200, percent: null }],
  ['Opus 5.5 · ctx 45.2k/200k (22.6%) · $0.12', { tokens: 45_200, window: 200_000, percent: 22.6 }],
  ['🤖 Opus | 💰 $0.23 session / $1.23 today | 🔥 $0.12/hr | 🧠 25,000 (12%)', { tokens: 25_000, percent: 12 }],
  ['Context ▓▓▓░░░░ 23%', { tokens: null, percent: 23 }],
  ['23% context used', { percent: 23 }],
  ['context: 26k tokens (3%) sid=49c4d9…', { tokens: 26_000, percent: 3, session: null }],
  ['context: 45.2k tokens (23%)          ◐ medium · /effort', { tokens: 45_200, percent: 23 }],
];

test.each(known)('%s', (row, figures) => {
  expect(readStatusLine(row)).toMatchObject(figures);
});

test.each([
  '',
  'main | Opus 5.5 | $0.12',
  'context: 45.…',
  'context: 45…',
  'context: 45.2 tokens',
  'Ctx: 23',
  'Ctx: 45213',
  'Ctx: 1,234k',
  'context: ~45k tokens',
  'context left: 77%',
  '77% context left',
  '15% until auto-compact',
  '5h: 45% | 7d: 12%',
  'Ctx(u): 11.6%',
  'Ctx: 45.2k | Ctx: 50.1k',
  '45.2k tokens (23%)',
  'I have a context: 45.2k tokens (23%), it says',
  'context: new…',
])('%s says nothing for certain', row => {
  expect(readStatusLine(row)).toBeNull();
});

test('our own line counts before others, and rows that contradict one another count for nothing', () => {
  expect(readStatusRows(['Ctx: 50k | main', 'context: 45.2k tokens (23%)'])?.tokens).toBe(45_200);
  expect(readStatusRows(['Ctx: 50k | main', 'ctx 45.2k | x'])).toBeNull();
});

type Made = { row: string; tokens: number | null; percent: number | null; window: number | null };

function makeLine(random: Random): Made {
  const whole = Math.floor(random() * 1_000_000);
  const dot = pick(['.', ','], random);
  const amounts: (() => [string, number])[] = [
    () => {
      const tenths = Math.floor(whole / 100);
      return [
        `${(tenths / 10).toFixed(tenths % 10 === 0 ? 0 : 1).replace('.', dot)}${pick(['k', 'K'], random)}`,
        tenths * 100,
      ];
    },
    () => {
      const hundredths = 1 + Math.floor(random() * 200);
      return [`${(hundredths / 100).toFixed(2).replace('.', dot)}${pick(['M', 'm'], random)}`, hundredths * 10_000];
    },
    () => [String(whole + 1000), whole + 1000],
    () => [String(whole + 1000).replace(/\B(?=(\d{3})+$)/g, pick([',', '.', "'", '_'], random)), whole + 1000],
  ];
  const [shown, tokens] = pick(amounts, random)();
  const percent = pick([Math.floor(random() * 101), Math.floor(random() * 1000) / 10], random);
  const share = `${String(percent).replace('.', dot)}${pick(['%', ' %'], random)}`;
  const label = pick(['context: ', 'Context: ', 'ctx ', 'Ctx: ', 'CTX=', '🧠 '], random);
  const [window, windowText] = pick(
    [
      [200_000, '200k'],
      [1_000_000, '1M'],
      [200_000, '200,000'],
    ] as const,
    random,
  );
  const forms: (() => Made)[] = [
    () => ({ row: `context: ${shown} tokens (${share})`, tokens, percent, window: null }),
    () => ({ row: `context: ${shown} tokens (${share}) sid=8042eb38`, tokens, percent, window: null }),
    () => ({ row: `${label}${shown} tokens`, tokens, percent: null, window: null }),
    () => ({ row: `${label}${shown} (${share})`, tokens, percent, window: null }),
    () => ({ row: `${label}${shown}/${windowText} (${share})`, tokens, percent, window }),
    () => ({ row: `${label}${shown} / ${windowText} tokens`, tokens, percent: null, window }),
    () => ({ row: `${label}${share}`, tokens: null, percent, window: null }),
    () => ({ row: `Ctx: ${shown} | Ctx: ${share} | main`, tokens, percent, window: null }),
    () => ({ row: `${label}▓▓▓░░░ ${share}`, tokens: null, percent, window: null }),
  ];
  const made = pick(forms, random)();
  const others = [
    'Opus 5.5',
    '⎇ main',
    '$1.23',
    '5h: 45%',
    '(+10,-5)',
    '12:30',
    '7d: 9% left',
    'v2.1.326',
    '3.4k lines',
    'x/y.ts',
  ];
  const bar = pick([' | ', ' · ', ' │ ', ' • '], random);
  const before = Array.from({ length: Math.floor(random() * 3) }, () => pick(others, random));
  const after = Array.from({ length: Math.floor(random() * 3) }, () => pick(others, random));
  return { ...made, row: [...before, made.row, ...after].join(bar) };
}

test('a status line in any of the common forms is read exactly', () => {
  const random = randomFrom(5);
  for (let round = 0; round < size(500, 5000); round += 1) {
    const { row, tokens, percent, window } = makeLine(random);
    expect(readStatusLine(row), row).toMatchObject({ tokens, percent, window, is_new: false });
  }
});

const spoil: Record<string, (row: string, random: Random) => string> = {
  cutEnd: (row, random) => row.slice(0, Math.floor(random() * row.length)),
  ellipsis: (row, random) => `${row.slice(0, Math.floor(random() * row.length))}…`,
  cutStart: (row, random) => row.slice(1 + Math.floor(random() * row.length)),
  prose: row => `He said that the status line showed ${row} at noon`,
  about: row => row.replace(/(\d)/, '~$1'),
  left: row => `${row} left`,
  twoPanes: row => `${row}│${row.replace(/\d/g, '7')}`,
  broken: (row, random) => {
    const at = Math.floor(random() * row.length);
    return `${row.slice(0, at)}\n${row.slice(at)}`;
  },
};

test('a spoiled status line is read exactly or not at all', () => {
  const random = randomFrom(6);
  const names = Object.keys(spoil);
  const wrong: string[] = [];
  for (let round = 0; round < size(500, 5000); round += 1) {
    const made = makeLine(random);
    const name = names[round % names.length]!;
    for (const row of spoil[name]!(made.row, random).split('\n')) {
      const reading = readStatusLine(row);
      if (reading === null) continue;
      const isRight = (['tokens', 'percent', 'window'] as const).every(
        key => reading[key] === null || reading[key] === made[key],
      );
      if (!isRight || reading.is_new) wrong.push(`${name}: ${made.row} → ${row} → ${JSON.stringify(reading)}`);
    }
  }
  expect(wrong).toEqual([]);
});
