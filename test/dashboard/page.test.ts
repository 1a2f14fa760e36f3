// Pages of text, the page of an agent and the rows of the overview: all of it can be read, at any size.

import { expect, test } from 'vitest';
import { saidLines } from '../../src/dashboard/model/footer-line.ts';
import { helpLines } from '../../src/dashboard/model/help-lines.ts';
import { type Key, pressKey } from '../../src/dashboard/model/keys.ts';
import { chooseColumns } from '../../src/dashboard/model/row-columns.ts';
import { buildScreen } from '../../src/dashboard/model/screen.ts';
import type { Seen } from '../../src/dashboard/model/seen.ts';
import { firstUi, type Pager, type Ui } from '../../src/dashboard/model/ui.ts';
import { cellWidth } from '../../src/text/cell-width.ts';
import { colourful, colourless } from '../../src/text/paint.ts';
import { agent, claude, NOW, question, seen } from './seen-world.ts';

const one = seen([agent('alpha')]);
const size = (width: number, height: number) => ({ width, height });

function makePage(kind: Pager['kind'], texts: string[], { width, height } = size(40, 10), isFollowing = false) {
  const pager = { kind, title: 't', argv: [], top: 0, isFollowing, search: '', conflict: null };
  let ui: Ui = { ...firstUi, pager };
  const body = (paint = colourless) =>
    buildScreen({ seen: one, ui, now: NOW, page: texts, detail: null, width, height, paint });
  return {
    ui: () => ui,
    lines: (paint = colourless) => body(paint).lines,
    press(...keys: Key[]) {
      for (const key of keys) ui = pressKey(ui, key, body().screen, NOW).ui;
    },
  };
}

const shown = (value: Seen, ui: Partial<Ui>, { width, height }: { width: number; height: number }) =>
  buildScreen({
    seen: value,
    ui: { ...firstUi, ...ui },
    now: NOW,
    page: [],
    detail: null,
    width,
    height,
    paint: colourless,
  }).lines;

const words = (count: number, name: string) => Array.from({ length: count }, (_, at) => `${name}-${at}`).join(' ');

test.each(['help', 'logs', 'report', 'diff', 'conflicts'] as const)(
  'every word of a page of %s can be read by going down through it, and the end is its end',
  kind => {
    const texts = kind === 'help' ? helpLines(20) : Array.from({ length: 12 }, (_, at) => words(9, `line-${at}-word`));
    const page = makePage(kind, texts);
    const read: string[] = [...page.lines().slice(1)];
    for (let at = 0; at < 300; at += 1) {
      page.press('down');
      const last = page.lines().at(-1)!;
      if (last !== read.at(-1)) read.push(last);
    }
    for (const word of texts.join(' ').split(/\s+/)) expect(read.join(' ')).toContain(word);
    page.press('g');
    expect(page.lines()[1]).toContain(texts[0]!.slice(0, 15));
    page.press('G');
    expect(page.lines().at(-1)!.trim()).toBe(texts.at(-1)!.trim().slice(-page.lines().at(-1)!.trim().length));
    for (const line of page.lines()) expect(cellWidth(line)).toBeLessThanOrEqual(40);
  },
);

test('a log that is followed shows its newest words, and a long line of a diff has one colour', () => {
  const log = makePage('logs', [...Array(30).fill('x'), words(12, 'newest')], size(40, 6), true);
  expect(log.lines().at(-1)).toContain('newest-11');
  const diff = makePage('diff', [`+${words(9, 'added')}`], size(40, 6));
  for (const line of diff.lines(colourful).slice(1)) expect(line).toContain(colourful('green', 'x').split('x')[0]!);
});

test('a search goes to the first find from where one is, upwards where none is below, and n goes on from it', () => {
  const texts = Array.from({ length: 60 }, (_, at) => (at % 20 === 0 ? `Task ${at}` : `line ${at}`));
  const search = (...keys: Key[]) => [...keys, '/', ...'task', 'enter'];
  const first = makePage('logs', texts);
  first.press(...search());
  expect(first.lines()[1]).toContain('Task 0');
  first.press('n');
  expect(first.lines()[1]).toContain('Task 20');
  first.press('n');
  expect(first.lines()[1]).toContain('Task 40');
  first.press('n');
  expect(first.ui().message?.text).toBe('no further "task"');
  first.press('N');
  expect(first.lines()[1]).toContain('Task 20');
  const followed = makePage('logs', texts, size(40, 10), true);
  followed.press(...search());
  expect(followed.lines()[1]).toContain('Task 40');
  followed.press('/', ...'nowhere', 'enter');
  expect(followed.ui().message?.text).toBe('"nowhere" is nowhere here');
  expect(followed.lines()[1]).toContain('Task 40');
});

test('finds near the end are gone through one by one, and words over the break of a line are found', () => {
  const texts = [...Array.from({ length: 30 }, (_, at) => `line ${at}`), 'find a', 'find b', 'find c'];
  const page = makePage('logs', texts);
  page.press('/', ...'find', 'enter', 'n', 'n', 'n');
  expect(page.ui().message?.text).toBe('no further "find"');
  const broken = makePage('logs', ['x', `${'a'.repeat(30)} needle thread and more`]);
  broken.press('/', ...'needle thread', 'enter');
  expect(broken.ui().message).toBeNull();
});

test('the page of an agent names it first at any width, then its execution where that fits', () => {
  const id = 'sample-20261118-162706-of-a-long-name';
  const long = seen([agent('frontend', { claude: claude({ question }) })], { id });
  const title = (width: number) => shown(long, { zoom: 'agent', selected: '/w\u0000frontend' }, size(width, 12))[0]!;
  for (const width of [30, 40, 80]) {
    expect(title(width)).toMatch(/^ \? frontend .*asks/);
    expect(cellWidth(title(width))).toBeLessThanOrEqual(width);
  }
  expect(title(120)).toContain(`frontend  ${id}  asks`);
});

test('that the page of an agent goes on below is said, until its end is seen', () => {
  const asker = seen([agent('a', { claude: claude({ question }) })]);
  const at = (scroll: number) => shown(asker, { zoom: 'agent', selected: '/w\u0000a', scroll }, size(40, 8));
  expect(at(0).at(-1)).toMatch(/… \d+ more below/);
  expect(at(0)).toHaveLength(8);
  expect(at(1000).at(-1)).not.toContain('more below');
});

test('a question that waits for a yes says so, however long it is and however small the terminal', () => {
  const confirm = { question: `Cancel ${'sample-20261118-162706 '.repeat(40)}?`, wish: { do: 'quit' } as const };
  for (const [width, height] of [
    [40, 12],
    [20, 5],
    [80, 24],
  ] as const) {
    const said = saidLines({ ...firstUi, confirm }, { width, height });
    expect(said.at(-1)).toMatch(/ y \/ n$/);
    for (const line of said) expect(cellWidth(line)).toBeLessThan(width);
    expect(said.length).toBeLessThanOrEqual(Math.max(1, Math.floor(height / 3)));
  }
});

test('of several executions each row says which it is of, before what matters less, and by the end of its name', () => {
  const [first] = seen([agent('short')]).executions;
  const several = {
    ...one,
    executions: ['162706', '162801'].map(end => ({ ...first!, workspace: end, id: `sample-20261118-${end}` })),
  };
  const lines = shown(several, {}, size(80, 20)).join('\n');
  expect(lines).toContain('EXECUTION');
  for (const end of ['2706', '2801']) expect(lines).toMatch(new RegExp(`sam.*….*${end} short`));
  const columns = { width: 60, nameCells: 8, executionCells: 22, hasClaude: true };
  expect(Object.keys(chooseColumns(columns))).toEqual([
    'name',
    'state',
    'execution',
    'bar',
    'time',
    'tokens',
    'attempt',
  ]);
});

test('what no row has takes no room', () => {
  const plain = seen([agent('shell', { claude: null, last_line: words(9, 'said') })]);
  const lines = shown(plain, {}, size(80, 20)).join('\n');
  expect(lines).not.toMatch(/CONTEXT|TOKENS|COST|OVER TIME/);
  expect(lines).toContain('the task of shell');
});
