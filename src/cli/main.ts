// From words to an exit code: parse, load the one command, run it, show what went wrong. The only place
// that catches, and the only one that ends the process.

import { readFileSync } from 'node:fs';
import { choosePaint } from '../text/paint.ts';
import type { CommandInput, Screen } from './command-spec.ts';
import { commands } from './commands.ts';
import { parseCommand, type Values } from './parse-command.ts';

const NARROW = 80; // where the width is unknown: what everything was made to fit

export async function main(argv: readonly string[]): Promise<void> {
  endQuietlyOnBrokenPipe(process.stdout);
  endQuietlyOnBrokenPipe(process.stderr);
  try {
    process.exitCode = await runCommand(argv);
  } catch (error) {
    const { faultText } = await import('./fault-text.ts');
    const { lines, exitCode } = faultText(error, toScreen(process.stderr).paint, Boolean(process.env.BATON_DEBUG));
    process.stderr.write(`${lines.join('\n')}\n`);
    process.exitCode = exitCode;
  }
}

async function runCommand(argv: readonly string[]): Promise<number> {
  const wanted = parseCommand(isBareOnTerminal(argv) ? ['dashboard'] : argv, commands);
  if (wanted.kind === 'run') {
    const { run } = await wanted.command.load();
    return run(toInput(wanted.args, wanted.values));
  }
  if (wanted.kind === 'version') process.stdout.write(`${readVersion()}\n`);
  else {
    const { commandText, overviewText } = await import('./help-text.ts');
    process.stdout.write(`${wanted.command === null ? overviewText(commands) : commandText(wanted.command)}\n`);
  }
  return 0;
}

// `baton` alone opens the dashboard; in a pipe it helps.
const isBareOnTerminal = (argv: readonly string[]): boolean =>
  argv.length === 0 && toScreen(process.stdout).isTerminal && process.stdin.isTTY === true;

function toInput(args: readonly string[], values: Values): CommandInput {
  const text = (name: string) => (typeof values[name] === 'string' ? values[name] : undefined);
  const texts = (name: string) => [values[name] ?? []].flat().filter(value => typeof value === 'string');
  return {
    args,
    flag: name => values[name] === true,
    text,
    texts,
    say: line => process.stdout.write(`${line}\n`),
    note: line => process.stderr.write(`${line}\n`),
    out: toScreen(process.stdout),
    err: toScreen(process.stderr),
    leave: code => process.exit(code),
  };
}

function toScreen(stream: NodeJS.WriteStream): Screen {
  // A dumb terminal cannot move its cursor: it gets what a pipe gets.
  const isTerminal = stream.isTTY === true && process.env.TERM !== 'dumb';
  return {
    stream,
    isTerminal,
    width: () => stream.columns || Number(process.env.COLUMNS) || NARROW,
    height: () => stream.rows || 24,
    paint: choosePaint(isTerminal, process.env),
  };
}

// The same distance from src/cli and from dist/cli.
function readVersion(): string {
  return JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version;
}

// `baton list | head -1`: the reader has what it wanted.
function endQuietlyOnBrokenPipe(stream: NodeJS.WriteStream): void {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
    throw error;
  });
}
