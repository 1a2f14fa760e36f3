import { expect, test } from 'vitest';
import { cellWidth, fitCells, padCells } from '../../src/text/cell-width.ts';

test.each([
  ['plain', 5],
  ['', 0],
  ['漢字', 4],
  ['한글', 4],
  ['ｆｕｌｌ', 8],
  ['é', 1],
  ['e\u0301', 1],
  ['✔', 1],
  ['✅', 2],
  ['👩‍👩‍👧', 2],
  ['🇩🇪', 2],
  ['❤️', 2],
  ['\u200b', 0],
  ['…', 1],
])('%s takes %i columns', (text, width) => {
  expect(cellWidth(text)).toBe(width);
});

test('a cut text never takes more than its columns, and never half a character', () => {
  const text = 'ab漢字👩‍👩‍👧e\u0301xyz';
  for (let width = 0; width < 16; width += 1) {
    const cut = fitCells(text, width);
    expect(cellWidth(cut)).toBeLessThanOrEqual(width);
    if (cut.endsWith('…')) expect(text.startsWith(cut.slice(0, -1))).toBe(true);
  }
  expect(fitCells(text, 5)).toBe('ab漢…');
});

test('padding counts columns, not characters', () => {
  expect(padCells('漢字', 6)).toBe('漢字  ');
  expect(padCells('漢字漢字', 6)).toBe('漢字… ');
});
