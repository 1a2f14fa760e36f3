// Two texts as a diff: lines that went, lines that came, and a few around them. Pure.

import { alignLines, type Pair } from '../text/align-lines.ts';

export type DiffLine = { kind: 'same' | 'gone' | 'new' | 'skipped'; text: string };

const AROUND = 3;

export function diffLines(left: string, right: string): DiffLine[] {
  const all = alignLines(linesOf(left), linesOf(right)).flatMap(toLines);
  const isNear = all.map((_, at) => all.slice(Math.max(0, at - AROUND), at + AROUND + 1).some(isChange));
  const shown: DiffLine[] = [];
  for (const [at, line] of all.entries()) {
    if (isNear[at]) shown.push(line);
    else if (shown.at(-1)?.kind !== 'skipped') shown.push({ kind: 'skipped', text: '' });
  }
  return all.some(isChange) ? inBlocks(shown) : [];
}

const isChange = ({ kind }: DiffLine) => kind === 'gone' || kind === 'new';
const linesOf = (text: string) => (text === '' ? [] : text.replace(/\n$/, '').split('\n'));

function toLines({ left, right }: Pair): DiffLine[] {
  if (left !== null && left === right) return [{ kind: 'same', text: left }];
  return [
    ...(left === null ? [] : [{ kind: 'gone', text: left } as const]),
    ...(right === null ? [] : [{ kind: 'new', text: right } as const]),
  ];
}

// Of neighbouring changes, first all that went and then all that came.
function inBlocks(lines: readonly DiffLine[]): DiffLine[] {
  const result: DiffLine[] = [];
  let block: DiffLine[] = [];
  const flush = () => {
    result.push(...block.filter(({ kind }) => kind === 'gone'), ...block.filter(({ kind }) => kind === 'new'));
    block = [];
  };
  for (const line of lines) {
    if (isChange(line)) block.push(line);
    else {
      flush();
      result.push(line);
    }
  }
  flush();
  return result;
}
