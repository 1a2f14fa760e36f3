// Words of the command line → what is wanted. Pure: nothing runs here, a wrong word becomes a Fault.

import { parseArgs } from 'node:util';
import { Fault } from '../protocol/fault.ts';
import type { CommandSpec, OptionSpec } from './command-spec.ts';
import { didYouMean } from './did-you-mean.ts';

export type Values = Record<string, string | boolean | (string | boolean)[] | undefined>;
export type Wanted =
  | { kind: 'version' }
  | { kind: 'help'; command: CommandSpec | null }
  | { kind: 'run'; command: CommandSpec; args: string[]; values: Values };

const HELP = new Set(['--help', '-h', 'help']);

export function parseCommand(argv: readonly string[], commands: readonly CommandSpec[]): Wanted {
  const [first, ...rest] = argv;
  if (first === undefined) return { kind: 'help', command: null };
  if (first === '--version' || first === '-V') return { kind: 'version' };
  if (HELP.has(first)) {
    const named = rest.find(word => !word.startsWith('-'));
    return { kind: 'help', command: named === undefined ? null : findCommand(named, commands) };
  }
  const command = findCommand(first, commands);
  // Everything after "--" is a name, even one that looks like a wish for help.
  const end = rest.indexOf('--');
  const words = end === -1 ? rest : rest.slice(0, end);
  if (words.includes('--help') || words.includes('-h')) return { kind: 'help', command };
  const { args, values } = parseOptions(command, rest);
  return { kind: 'run', command, args: checkPositionals(command, args), values };
}

function findCommand(name: string, commands: readonly CommandSpec[]): CommandSpec {
  const found = commands.find(command => command.name === name);
  if (found !== undefined) return found;
  if (name.startsWith('-')) throw invalid(`unknown option "${name}"`, didYouMean(name, ['--help', '--version']), null);
  throw invalid(
    `unknown command "${name}"`,
    didYouMean(name, [...commands.map(command => command.name), 'help']),
    null,
  );
}

function parseOptions(command: CommandSpec, argv: string[]): { args: string[]; values: Values } {
  const options = Object.fromEntries(Object.entries(command.options).map(([name, spec]) => [name, toParseArgs(spec)]));
  try {
    const { positionals, values } = parseArgs({ args: argv, options, allowPositionals: true, strict: true });
    return { args: positionals, values: values as Values };
  } catch (error) {
    throw explain(error as Error & { code?: string }, command);
  }
}

function toParseArgs(spec: OptionSpec) {
  return {
    type: spec.value === undefined ? ('boolean' as const) : ('string' as const),
    multiple: spec.multiple ?? false,
    ...(spec.short === undefined ? {} : { short: spec.short }),
  };
}

function explain(error: Error & { code?: string }, command: CommandSpec): Fault {
  const name = /'(-[^' ]+)/.exec(error.message)?.[1]?.replace(/,$/, '') ?? '';
  if (error.code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') {
    const known = [...Object.keys(command.options), 'help'].map(option => `--${option}`);
    return invalid(`"baton ${command.name}" has no option "${name}"`, didYouMean(name, known), command);
  }
  const long = /--[\w-]+/.exec(error.message)?.[0] ?? name;
  const wanted = command.options[long.slice(2)]?.value;
  const what =
    wanted === undefined ? `the option "${long}" takes no value` : `the option "${long}" needs a value: ${wanted}`;
  return invalid(what, null, command);
}

function checkPositionals(command: CommandSpec, args: string[]): string[] {
  const missing = command.positionals.slice(args.length).find(positional => !positional.optional);
  if (missing !== undefined) throw invalid(`"baton ${command.name}" needs <${missing.name}>`, null, command);
  const extra = args[command.positionals.length];
  if (extra !== undefined) throw invalid(`"baton ${command.name}" does not take "${extra}"`, null, command);
  return args;
}

export function invalid(message: string, hint: string | null, command: CommandSpec | null): Fault {
  const help =
    command === null ? '`baton --help` lists all commands' : `\`baton ${command.name} --help\` shows what it takes`;
  return new Fault('invalid', message, hint === null ? help : `${hint} ${help}`);
}
