// The watchdog as a process of its own, as `baton watchdog start` and the engine start it.

import { exitCodes, Fault } from '../src/protocol/fault.ts';
import { runWatchdog } from './run-watchdog.ts';

const stop = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => stop.abort());
process.on('SIGHUP', () => {}); // the terminal it was started from is closed

try {
  await runWatchdog({ signal: stop.signal, say: line => console.log(line) });
} catch (error) {
  console.error(error instanceof Fault ? error.message : error);
  process.exitCode = error instanceof Fault ? exitCodes[error.code] : exitCodes.internal;
}
// Its leases die with it: whoever comes next must not wait for a timer that nobody needs.
process.exit();
