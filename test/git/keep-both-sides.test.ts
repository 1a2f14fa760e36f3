import fc from 'fast-check';
import { expect, test } from 'vitest';
import { keepBothSides } from '../../src/git/keep-both-sides.ts';
import { size } from '../test-size.ts';

const conflict = ['<<<<<<< HEAD', 'mine', '=======', 'theirs', '>>>>>>> side'];

test('both sides of a conflict are kept, flagged with where they come from, and no marker is left', () => {
  const { text, conflicts } = keepBothSides(['before', ...conflict, 'after', ''].join('\n'));
  expect(conflicts).toBe(1);
  expect(text).toBe(
    [
      'before',
      '> **CONFLICT 1: both sides are kept. One side (HEAD):**',
      '',
      'mine',
      '',
      '> **CONFLICT 1: the other side (side):**',
      '',
      'theirs',
      '',
      '> **CONFLICT 1 ends here.**',
      'after',
      '',
    ].join('\n'),
  );
});

test('the common ancestor of a diff3 conflict is left out, and longer markers are understood', () => {
  const lines = [
    '<<<<<<<<<< HEAD',
    'mine',
    '=======',
    '|||||||||| base',
    'old',
    '==========',
    'theirs',
    '>>>>>>>>>> b',
  ];
  const { text, conflicts } = keepBothSides(lines.join('\r\n'));
  expect(conflicts).toBe(1);
  expect(text.split('\r\n')).toEqual(expect.arrayContaining(['mine', '=======', 'theirs']));
  expect(text).not.toContain('old');
});

test('two conflicts are counted, and one without an end is left as it is', () => {
  expect(keepBothSides([...conflict, ...conflict].join('\n')).conflicts).toBe(2);
  const open = [...conflict.slice(0, 4), 'tail'].join('\n');
  expect(keepBothSides(open)).toEqual({ text: open, conflicts: 0 });
});

test('a text without markers comes back unchanged, and no line of either side is ever lost', () => {
  const line = fc.string({ maxLength: 12 }).map(text => `x${text.replaceAll(/[\r\n]/g, '')}`);
  const side = fc.array(line, { maxLength: 5 });
  const parts = fc.array(fc.record({ plain: side, mine: side, theirs: side }), { maxLength: 4 });
  fc.assert(
    fc.property(parts, given => {
      const plain = given.flatMap(part => part.plain).join('\n');
      expect(keepBothSides(plain)).toEqual({ text: plain, conflicts: 0 });
      const text = given
        .flatMap(p => [...p.plain, '<<<<<<< a', ...p.mine, '=======', ...p.theirs, '>>>>>>> b'])
        .join('\n');
      const kept = keepBothSides(text);
      expect(kept.conflicts).toBe(given.length);
      const left = kept.text.split('\n').filter(row => row.startsWith('x'));
      expect(left).toEqual(given.flatMap(p => [...p.plain, ...p.mine, ...p.theirs]));
    }),
    { numRuns: size(100, 2000) },
  );
});
