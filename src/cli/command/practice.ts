// `baton practice`: runs the practice model in the foreground. Says loudly that no model answers.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { plainText } from '../../files/plain-text.ts';
import { practiceEnvironment, seedPracticeHome } from '../../practice/practice-home.ts';
import { type RecordedRequest, startPractice } from '../../practice/start-practice.ts';
import { exitCodes, Fault } from '../../protocol/fault.ts';
import type { CommandInput } from '../command-spec.ts';
import { onInterrupt } from '../on-interrupt.ts';
import { wholeNumber } from '../request-source.ts';
import { shellText } from '../shell-text.ts';

const DEFAULT_SCRIPT = 'agent';

export async function run(input: CommandInput): Promise<number> {
  const script = input.text('script') ?? DEFAULT_SCRIPT;
  const port = wholeNumber(input, 'port');
  const practice = await startPractice({
    script,
    set: settings(input.texts('set')),
    ...(port === undefined ? {} : { port }),
    onRequest: request => input.say(requestLine(request)),
  });
  const home = await mkdtemp(path.join(tmpdir(), 'baton-practice-'));
  try {
    await seedPracticeHome(home, { trusted: [process.cwd()] });
    for (const line of banner(script, practice.url, home)) input.say(line);
    await interrupted(input);
    return exitCodes.success;
  } finally {
    await practice.close();
    // A Claude Code that still ends may write there meanwhile.
    await rm(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}

function interrupted(input: CommandInput): Promise<void> {
  return new Promise(resolve => {
    const unlisten = onInterrupt(
      () => {
        unlisten();
        resolve();
      },
      () => input.leave(exitCodes.cancelled),
    );
  });
}

function banner(script: string, url: string, home: string): string[] {
  const variables = Object.entries(practiceEnvironment(url, home)).map(
    ([name, value]) => `${name}=${shellText([value])}`,
  );
  return [
    'PRACTICE: THE MODEL IS A SCRIPT. Nothing here thinks, no account is used, nothing is paid.',
    `script ${plainText(script)} answers at ${url}`,
    '',
    'In another terminal, in this folder:',
    `  env -u ANTHROPIC_API_KEY ${variables.join(' \\\n    ')} \\\n    claude`,
    '',
    'Ctrl-C ends it. The config folder named above is new, trusts this folder only, and is removed then.',
  ];
}

function requestLine({ at, session, agent, turn, kind, rule, error, context }: RecordedRequest): string {
  const who = plainText(agent === '' ? session.slice(0, 8) : `${agent} ${session.slice(0, 8)}`);
  const what = error === null ? `${context} tokens` : `error ${error}`;
  return `${at.slice(11, 19)}  ${who}  turn ${turn}  ${kind} -> rule "${plainText(rule)}", ${what}`;
}

function settings(given: readonly string[]): Record<string, string> {
  const pairs = given.map(text => {
    const [, name, value] = /^([A-Za-z0-9_]+)=(.*)$/s.exec(text) ?? [];
    if (name !== undefined && value !== undefined) return [name, value] as const;
    throw new Fault('invalid', `--set is "${text}", not NAME=VALUE`, 'write for example: --set step=30000');
  });
  return Object.fromEntries(pairs);
}
