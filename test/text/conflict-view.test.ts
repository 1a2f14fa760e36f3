import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseTakes } from '../../src/cli/parse-takes.ts';
import type { Conflict, ConflictSide } from '../../src/protocol/conflicts.ts';
import { alignLines } from '../../src/text/align-lines.ts';
import { cellWidth } from '../../src/text/cell-width.ts';
import { conflictLines } from '../../src/text/conflict-view.ts';
import { colourless } from '../../src/text/paint.ts';

const toSide = (agent: string, content: string): ConflictSide => {
  return {
    agent,
    source: `/s/${agent}`,
    sha256: 'f'.repeat(64),
    bytes: content.length,
    encoding: 'utf8',
    content,
    kept_at: `/k/${agent}`,
  };
};
const toConflict = (...sides: ConflictSide[]): Conflict => {
  return { id: 'c1', kind: 'file', path: 'code/a.ts', reason: 'no common base', base: null, sides };
};

test('at 80 columns two sides stand beside each other, equal lines meet', () => {
  const same = Array.from({ length: 10 }, (_, n) => `same ${n}`).join('\n');
  const lines = conflictLines(
    toConflict(toSide('a', `${same}\nleft\nend\n`), toSide('b', `${same}\nright\nmore\nend\n`)),
    80,
    colourless,
  );
  const row = (left: string, mark: string, right: string) => `${left.padEnd(38)} ${mark} ${right}`.trimEnd();
  expect(lines.slice(4)).toEqual([
    row('… 8 equal lines', '|', '… 8 equal lines'),
    row('same 8', '|', 'same 8'),
    row('same 9', '|', 'same 9'),
    row('left', '!', 'right'),
    row('', '>', 'more'),
    row('end', '|', 'end'),
    '  a: /k/a',
    '  b: /k/b',
  ]);
});

test('below 60 columns, and for three sides, they stand one under the other', () => {
  const two = toConflict(toSide('a', 'x'), toSide('b', 'y'));
  expect(conflictLines(two, 59, colourless)).toContain('--- a (1 B)');
  expect(conflictLines(two, 60, colourless)).not.toContain('--- a (1 B)');
  const three = toConflict(toSide('a', 'x'), toSide('b', 'y'), toSide('c', 'z'));
  expect(conflictLines(three, 120, colourless)).toEqual(
    expect.arrayContaining(['--- a (1 B)', '--- b (1 B)', '--- c (1 B)']),
  );
});

test('hostile and wide contents stay within the width and harmless', () => {
  const hostile = '\u001b[2J漢字漢字\u202e\u0007👩‍👩‍👧\tx '.repeat(30);
  for (const width of [40, 60, 81]) {
    const lines = conflictLines(
      toConflict(toSide('a', `${hostile}\n1`), toSide('b', `${hostile}\n2`)),
      width,
      colourless,
    );
    for (const line of lines) {
      expect(cellWidth(line)).toBeLessThanOrEqual(width);
      expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e]/);
    }
  }
});

test('contents that are no text are told, not shown', () => {
  const lines = conflictLines(
    toConflict({ ...toSide('a', 'AAAA'), encoding: 'base64' }, toSide('b', '')),
    100,
    colourless,
  );
  expect(lines.join('\n')).toMatch(/\(not text: 4 B, sha256 f+\).*\(empty\)/);
});

test('aligning loses no line of either side, for any two texts', () => {
  const text = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 30 });
  fc.assert(
    fc.property(text, text, (left, right) => {
      const pairs = alignLines(left, right);
      expect(pairs.flatMap(pair => pair.left ?? [])).toEqual(left);
      expect(pairs.flatMap(pair => pair.right ?? [])).toEqual(right);
      expect(pairs.every(pair => pair.left !== null || pair.right !== null)).toBe(true);
    }),
  );
});

test('--take means an agent of the conflict, else a file', () => {
  const conflicts = [toConflict(toSide('a', 'x'), toSide('b', 'y'))];
  expect(parseTakes(['c1=b'], conflicts, () => true)).toEqual({ c1: { agent: 'b' } });
  expect(parseTakes(['c1=x=y.md'], conflicts, file => file === 'x=y.md')).toEqual({ c1: { file: 'x=y.md' } });
});

test('all mistakes in --take are told at once', () => {
  const conflicts = [toConflict(toSide('coder', 'x'), toSide('tester', 'y'))];
  const takes = ['c9=coder', 'c1=codr', 'nothing', 'c1=coder', 'c1=tester'];
  expect(() => parseTakes(takes, conflicts, () => false)).toThrow(
    expect.objectContaining({
      code: 'invalid',
      problems: [
        expect.objectContaining({ cure: 'did you mean "c1"?' }),
        expect.objectContaining({ cure: 'did you mean "coder"?' }),
        expect.objectContaining({ cure: 'write: --take <conflict>=<agent>' }),
        expect.objectContaining({ message: 'conflict "c1" is decided twice' }),
      ],
    }),
  );
});
