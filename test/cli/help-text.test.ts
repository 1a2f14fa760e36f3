import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { commands } from '../../src/cli/commands.ts';
import { commandText, optionText, overviewText, usageOf } from '../../src/cli/help-text.ts';
import { schemaNames } from '../../src/protocol/describe.ts';
import { type ExitName, exitCodes, exitMeanings } from '../../src/protocol/fault.ts';

const manual = readFileSync(new URL('../../docs/using.md', import.meta.url), 'utf8');

test.each(commands)('the help of $name shows its usage, every option and an example', command => {
  const text = commandText(command);
  expect(text).toContain(`Usage: ${usageOf(command)}\n`);
  for (const [name, spec] of Object.entries(command.options)) {
    expect(text).toContain(`  ${optionText(name, spec)} `);
    expect(text).toContain(spec.summary);
  }
  expect(command.examples.length).toBeGreaterThan(0);
  for (const example of command.examples) expect(text).toContain(`  ${example}`);
});

test.each(commands)('the help of $name fits into 100 columns', command => {
  for (const line of commandText(command).split('\n')) expect(line.length).toBeLessThanOrEqual(100);
});

test('the short list names every command but the hidden ones', () => {
  const text = overviewText(commands);
  for (const { name, hidden } of commands) expect(text.includes(`\n  ${name} `)).toBe(!hidden);
});

test('no two options of a command share a letter', () => {
  for (const { options } of commands) {
    const letters = Object.values(options).flatMap(({ short }) => short ?? []);
    expect(new Set(letters).size).toBe(letters.length);
  }
});

test('the schemas that help names are those that exist', () => {
  const words = commands.find(({ name }) => name === 'schema')?.positionals[0]?.words as readonly string[];
  expect(words.toSorted()).toEqual(schemaNames.toSorted());
});

const plain = (text: string) => text.replaceAll('`', '');

test('docs/using.md has a section with the words, options and examples of every command', () => {
  for (const command of commands) {
    const [, after] = manual.split(`\n### ${command.name}\n`);
    expect(after, `a section "### ${command.name}"`).toBeDefined();
    const section = after!.split(/\n##/)[0]!;
    expect(plain(section), command.name).toContain(plain(command.details));
    for (const name of Object.keys(command.options)) expect(section, command.name).toContain(`--${name}`);
    for (const example of command.examples) expect(section, command.name).toContain(example);
  }
});

test('the exit codes in docs/using.md are those of protocol/fault.ts', () => {
  const rows = Object.entries(exitCodes).map(([name, code]) => `| ${code} | ${exitMeanings[name as ExitName]} |`);
  expect(manual).toContain(['| Code | Meaning |', '|---:|---|', ...rows, ''].join('\n'));
  expect(manual.match(/^\| \d+ \|/gm)).toHaveLength(rows.length);
});
