// Help, made from the table.

import { exitCodes, exitMeanings } from '../protocol/fault.ts';
import type { CommandSpec, OptionSpec } from './command-spec.ts';

export function overviewText(commands: readonly CommandSpec[]): string {
  const rows = commands.filter(command => !command.hidden).map(command => [command.name, command.summary] as const);
  return [
    'baton conducts many coding agents at once in tmux, proves what they made, merges it and reports.',
    '',
    'Usage: baton <command> [options]',
    '',
    ...columns(rows),
    '',
    '`baton <command> --help` tells more. `baton --version` prints the version.',
  ].join('\n');
}

export function commandText(command: CommandSpec): string {
  const options = Object.entries(command.options).map(
    ([name, spec]) => [optionText(name, spec), spec.summary] as const,
  );
  const codes = Object.entries(exitCodes).map(
    ([name, code]) => [String(code), exitMeanings[name as keyof typeof exitCodes]] as const,
  );
  return [
    `Usage: ${usageOf(command)}`,
    '',
    `${capital(command.summary)}.`,
    ...wrap(command.details, 78),
    '',
    'Options:',
    ...columns([...options, ['-h, --help', 'show this']]),
    '',
    command.examples.length > 1 ? 'Examples:' : 'Example:',
    ...command.examples.map(example => `  ${example}`),
    '',
    'Exit codes:',
    ...columns(codes),
  ].join('\n');
}

export function usageOf(command: CommandSpec): string {
  const words = command.positionals.map(({ name, optional }) => (optional ? `[${name}]` : `<${name}>`));
  const options = Object.keys(command.options).length > 0 ? ['[options]'] : [];
  return ['baton', command.name, ...words, ...options].join(' ');
}

export function optionText(name: string, { short, value }: OptionSpec): string {
  const long = value === undefined ? `--${name}` : `--${name} ${value}`;
  return short === undefined ? long : `-${short}, ${long}`;
}

function columns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1)!;
    if (line === '') lines[lines.length - 1] = word;
    else if (line.length + 1 + word.length <= width) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines;
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
