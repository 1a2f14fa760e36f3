// How documents look on a terminal, and the files Baton ships for other programs.

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { diffLines } from '../../src/cli/diff-lines.ts';
import { documentLines } from '../../src/cli/document-lines.ts';
import { wrapText } from '../../src/cli/wrap-text.ts';
import { checkDocument } from '../../src/handoff/check-document.ts';
import { DEFAULT_TEMPLATE } from '../../src/handoff/template.ts';
import { colourless } from '../../src/text/paint.ts';

const shipped = (name: string) => readFileSync(new URL(`../../templates/${name}`, import.meta.url), 'utf8');

const text = `# Title

<!-- only a
hint -->

| Item | Blocker |
|------|---------|
| the build | a very long reason that does not fit |
| | |

- [ ] a task with **many** words in its line

\`\`\`
| code | stays |
\`\`\`
`;

test('a table is laid out in columns where it fits, without its ruler, empty rows and comments', () => {
  expect(documentLines(text, 80, colourless)).toEqual([
    'Title',
    '',
    'Item       Blocker',
    'the build  a very long reason that does not fit',
    '',
    '- [ ] a task with many words in its line',
    '',
    '```',
    '| code | stays |',
    '```',
  ]);
});

test('on a narrow terminal a table becomes a list and lines break at words', () => {
  expect(documentLines(text, 30, colourless).slice(2, 8)).toEqual([
    '- Item: the build',
    '  Blocker: a very long reason',
    '  that does not fit',
    '',
    '- [ ] a task with many words',
    '      in its line',
  ]);
});

test('the empty template is shown in 40 columns without a line that is too long', () => {
  const lines = documentLines(shipped('handoff/HANDOFF-template.md'), 40, colourless);
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(40);
  expect(lines.filter(line => line === '(none)')).toHaveLength(2);
});

test('a word longer than the line is left whole', () => {
  expect(wrapText('see /a/very/long/path/of/something now', 12)).toEqual([
    'see',
    '/a/very/long/path/of/something',
    'now',
  ]);
});

test('a diff shows what went before what came, with a few lines around and the rest skipped', () => {
  const left = ['1', '2', '3', '4', '5', '6', 'a', 'b', '9'].join('\n');
  const right = ['1', '2', '3', '4', '5', '6', 'c', 'd', '9', '10'].join('\n');
  expect(diffLines(left, right).map(({ kind, text }) => `${kind[0]}${text}`)).toEqual([
    's', // skipped
    's4',
    's5',
    's6',
    'ga',
    'gb',
    'nc',
    'nd',
    's9',
    'n10',
  ]);
  expect(diffLines('same\n', 'same\n')).toEqual([]);
});

test('the template that init writes is the built-in one and the line of the id', () => {
  const [head, ...rest] = shipped('handoff/HANDOFF-template.md').split('\n\nHandoff-Id: <id of this handoff>');
  expect(head + rest.join()).toBe(DEFAULT_TEMPLATE);
});

test('a document filled as the skill tells is good, and the bare template is not', () => {
  const template = shipped('handoff/HANDOFF-template.md');
  const rules = { template, handoffId: 'h-1', maxLines: 500 };
  const filled = template
    .replace('<id of this handoff>', 'h-1')
    .replace('<YYYY-MM-DD HH:MM>', '2025-01-20 14:30')
    .replace('<context threshold | manual | error recovery>', 'manual')
    .replace('<token count if known>', '101,200')
    .replace('<task description>', 'merge the branch feat/tea')
    .replaceAll(/^(\| )+\|$/gm, 'None: nobody else works on it.')
    .replaceAll(/<!--.*-->/g, 'None: nothing happened since.');
  expect(checkDocument(filled, rules)).toEqual([]);
  const problems = checkDocument(template, rules).map(({ problem }) => problem);
  expect(problems).toContain('the placeholder <id of this handoff> of the template is still there');
  expect(problems.length).toBeGreaterThan(5);
});

test('the unit of systemd starts the watchdog and leaves its children alone', () => {
  const unit = shipped('systemd/baton-watchdog.service');
  expect(unit).toMatch(/^ExecStart=\/usr\/bin\/env baton watchdog run$/m);
  expect(unit).toMatch(/^KillMode=process$/m);
});

test('the plist of launchd is well-formed and starts the same', () => {
  const plist = shipped('launchd/dev.baton.watchdog.plist');
  const words = [...plist.matchAll(/<string>(.*)<\/string>/g)].map(([, word]) => word);
  expect(words.slice(1, 5)).toEqual(['/usr/bin/env', 'baton', 'watchdog', 'run']);
  expect(plist).toMatch(/<key>AbandonProcessGroup<\/key>\s*<true\/>/);
  expect(unclosed(plist)).toEqual([]);
});

// Tags that are opened and not closed in the same order.
function unclosed(xml: string): string[] {
  const open: string[] = [];
  for (const [, close, name, alone] of xml
    .replace(/<!--[\s\S]*?-->|<[?!][^>]*>/g, '')
    .matchAll(/<(\/?)(\w+)[^>]*?(\/?)>/g)) {
    if (alone === '/') continue;
    if (close === '') open.push(name!);
    else if (open.at(-1) === name) open.pop();
    else return [...open, `/${name}`];
  }
  return open;
}
