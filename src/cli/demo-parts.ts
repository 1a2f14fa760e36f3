// The two ways of the demo: with a person at the dashboard, and alone in a pipe.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isRunning, readReport } from '../engine/read-execution.ts';
import { exitCodeOf } from '../engine/run-execution.ts';
import { plainText } from '../files/plain-text.ts';
import { exitCodes } from '../protocol/fault.ts';
import type { Status } from '../protocol/status.ts';
import { placesIn } from '../run/workspace-places.ts';
import type { CommandInput } from './command-spec.ts';
import { verdictLines } from './verdict-text.ts';

export type Demo = { file: string; folder: string };

const THINK_MS = 2000; // a question is seen before it is answered

const baton = (argv: readonly string[]): [string, string[]] => [
  process.execPath,
  [...process.execArgv, process.argv[1]!, ...argv],
];

// Each question once; the first option is as good as any in a sample.
export function answerAlone(input: CommandInput): (status: Status) => void {
  const seen = new Set<string>();
  return status => {
    for (const { agent_name, claude } of status.agents) {
      const question = claude?.question;
      if (question == null || seen.has(question.digest)) continue;
      seen.add(question.digest);
      const option = question.options[0]!;
      const who = `${status.execution_id}/${agent_name}`;
      setTimeout(() => {
        input.note(`nobody is at a terminal, so the demo answers itself: ${option.number}. ${plainText(option.label)}`);
        const [command, args] = baton([
          'answer',
          who,
          String(option.number),
          '--question',
          question.digest.slice(0, 16),
        ]);
        spawn(command, args, { stdio: 'ignore' }).on('error', error => input.note(error.message));
      }, THINK_MS);
    }
  };
}

// The engine is a process of its own: leaving the dashboard stops nothing. Its model lives here, so this waits for it
// and for every engine that was started from the dashboard, and lets the person back in meanwhile.
export async function showDemo(input: CommandInput, { file, folder }: Demo): Promise<number> {
  const [command, args] = baton(['run', file, '--quiet', '--trust', folder]);
  const engine = spawn(command, args, { stdio: 'ignore', detached: true });
  const ended = once(engine, 'exit').catch(() => [exitCodes.failure]) as Promise<[number | null]>;
  const isGoingOn = async () => engine.exitCode === null || (await isRunning(folder).catch(() => null)) !== null;
  process.env.NODE_ENV ??= 'production';
  const { openDashboard } = await import('../dashboard/open-dashboard.tsx');
  const { newPager } = await import('../dashboard/model/ui.ts');
  const { reportArgv } = await import('../dashboard/model/commands-of.ts');
  const id = path.basename(folder);
  const report = newPager('report', id, reportArgv(id));
  let text =
    'Five agents on a scripted model. One will ask you (g goes there, Enter shows it, a number answers), one is handed off at 60k. ? shows all keys.';
  do {
    await openDashboard({
      paint: input.out.paint,
      first: { message: { text, kind: 'info' } },
      until: ended.then(() => ({ text: 'The sample has ended. This is its report; q leaves it.', pager: report })),
    });
    text = 'Welcome back. The agents went on meanwhile.';
  } while ((await isGoingOn()) && (await isWantedAgain(input, isGoingOn, () => stop(engine, id))));
  const [code] = await ended;
  const written = await readReport(folder);
  if (written === null) return code ?? exitCodes.failure;
  for (const line of verdictLines(written, placesIn(folder).report, input.out.paint)) input.say(line);
  return exitCodeOf(written);
}

const LOOK_MS = 500;

// Enter: the dashboard again. Else the end is waited for; every agent has a timeout, so there is one.
async function isWantedAgain(input: CommandInput, isGoingOn: () => Promise<boolean>, cancel: () => void) {
  input.note('The agents go on; their scripted model lives in this process.');
  input.note('Enter opens the dashboard again, Ctrl-C cancels them.');
  let isWanted = false;
  const pressed = () => {
    isWanted = true;
  };
  process.stdin.once('data', pressed).resume();
  process.on('SIGINT', cancel);
  while (!isWanted && (await isGoingOn())) await sleep(LOOK_MS);
  process.off('SIGINT', cancel);
  process.stdin.off('data', pressed).pause();
  return isWanted;
}

function stop(engine: ChildProcess, id: string): void {
  if (engine.exitCode === null) {
    engine.kill('SIGINT');
    return;
  }
  const [command, args] = baton(['cancel', id, '--quiet']);
  spawn(command, args, { stdio: 'ignore', detached: true }).on('error', () => {});
}
