// The two ways of the demo: with a person at the dashboard, and alone in a pipe.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readReport } from '../engine/read-execution.ts';
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
      const asked = plainText(question.title.split('\n').at(-1)!, { max: 100 });
      input.note(`${agent_name} asks: ${asked}`);
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

// The engine is a process of its own: leaving the dashboard stops nothing. Its model lives here, so this waits.
export async function showDemo(input: CommandInput, { file, folder }: Demo): Promise<number> {
  const [command, args] = baton(['run', file, '--quiet', '--trust', folder]);
  const engine = spawn(command, args, { stdio: 'ignore', detached: true });
  const ended = once(engine, 'exit').catch(() => [exitCodes.failure]) as Promise<[number | null]>;
  process.env.NODE_ENV ??= 'production';
  const { openDashboard } = await import('../dashboard/open-dashboard.tsx');
  await openDashboard({
    paint: input.out.paint,
    first: {
      message: {
        text: 'Five agents on a scripted model. One will ask you (y answers), one is handed off at 60k. ? shows all keys.',
        kind: 'info',
      },
    },
    until: ended.then(() => 'The sample has ended: r shows its report, q leaves.'),
  });
  if (engine.exitCode === null) {
    input.note('The agents go on; their scripted model lives in this process. Ctrl-C cancels them.');
    process.once('SIGINT', () => engine.kill('SIGINT'));
  }
  const [code] = await ended;
  const report = await readReport(folder);
  if (report === null) return code ?? exitCodes.failure;
  for (const line of verdictLines(report, placesIn(folder).report, input.out.paint)) input.say(line);
  return exitCodeOf(report);
}
