// `baton watchdog`: runs, starts, ends and shows the watchdog.

import { setTimeout as sleep } from 'node:timers/promises';
import { plainText } from '../../files/plain-text.ts';
import { exitCodes, Fault } from '../../protocol/fault.ts';
import { askWatchdog, isWatchdogRunning } from '../../watching/ask-watchdog.ts';
import { loadWatchdog, startWatchdog } from '../../watching/start-watchdog.ts';
import { watchdogPlaces } from '../../watching/watchdog-places.ts';
import type { CommandInput } from '../command-spec.ts';
import { jsonText } from '../json-text.ts';
import { needMachine } from '../need-machine.ts';
import { onInterrupt } from '../on-interrupt.ts';
import { watchdogLines } from '../watchdog-lines.ts';

const STOP_MS = 30_000;

export async function run(input: CommandInput): Promise<number> {
  const [verb] = input.args;
  if (verb === 'run') return runHere(input);
  if (verb === 'start') return start(input);
  if (verb === 'stop') return stop(input);
  if (verb === 'status') return status(input);
  throw new Fault('invalid', `"baton watchdog" does not know "${verb}"`, 'run, start, stop or status');
}

async function runHere(input: CommandInput): Promise<number> {
  await needMachine();
  const stop = new AbortController();
  const unlisten = onInterrupt(
    () => stop.abort(),
    () => input.leave(exitCodes.cancelled),
  );
  try {
    const { runWatchdog } = await loadWatchdog();
    await runWatchdog({ signal: stop.signal, say: line => input.say(plainText(line)) });
    return exitCodes.success;
  } finally {
    unlisten();
  }
}

async function start(input: CommandInput): Promise<number> {
  await needMachine();
  const { pid, isNew } = await startWatchdog();
  if (input.flag('json')) input.say(jsonText({ pid, started: isNew }));
  else input.say(isNew ? `the watchdog runs now as process ${pid}` : `the watchdog runs already as process ${pid}`);
  return exitCodes.success;
}

async function stop(input: CommandInput): Promise<number> {
  const answer = await askWatchdog({ do: 'stop' });
  if (answer === null && (await isWatchdogRunning()))
    throw new Fault('failure', 'the watchdog runs, but does not answer', `see ${watchdogPlaces().log}`);
  // A key on its way is let arrive; then the lock falls.
  const until = performance.now() + STOP_MS;
  while (await isWatchdogRunning()) {
    if (performance.now() > until)
      throw new Fault('failure', `process ${answer?.pid} has not ended after ${STOP_MS / 1000} s`, 'look at its log');
    await sleep(50);
  }
  if (input.flag('json')) input.say(jsonText({ pid: answer?.pid ?? null, stopped: answer !== null }));
  else input.say(answer === null ? 'no watchdog runs' : `process ${answer.pid} has ended; agents go on`);
  return exitCodes.success;
}

async function status(input: CommandInput): Promise<number> {
  const answer = await askWatchdog({ do: 'status' });
  const running = answer !== null || (await isWatchdogRunning());
  if (input.flag('json')) input.say(jsonText({ running, status: answer?.status ?? null }));
  else if (answer?.status === undefined)
    input.say(
      running ? 'the watchdog runs, but does not answer' : 'no watchdog runs; `baton watchdog start` starts it',
    );
  else {
    const { width, paint } = input.out;
    for (const line of watchdogLines(answer.status, { width: width(), now: Date.now(), paint })) input.say(line);
  }
  return exitCodes.success;
}
