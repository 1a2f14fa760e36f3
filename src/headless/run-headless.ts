// The program in the pane of a `claude-headless` agent: `node run-headless.js SETTINGS.json`. Shows the stream
// readably, keeps it raw, writes the combined result, and ends with 0 only when the last session ended well.

import { parseArgs } from 'node:util';
import { readJson, writeJson } from '../files/write-file.ts';
import { HeadlessSettings } from '../protocol/chain.ts';
import { exitCodes, Fault } from '../protocol/fault.ts';
import { exitNameOf } from './exit-name.ts';
import { runWithContinuation } from './run-with-continuation.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

async function main(): Promise<number> {
  const stop = new AbortController();
  for (const signal of SIGNALS) process.on(signal, () => stop.abort());
  // The pane may be gone before us; then the result file is still worth writing.
  process.stdout.on('error', () => {});
  process.stderr.on('error', () => {});
  const settings = await readSettings();
  const result = await runWithContinuation({
    settings,
    signal: stop.signal,
    print: lines => lines.length > 0 && process.stdout.write(`${lines.join('\n')}\n`),
    complain: text => process.stderr.write(text),
  });
  await writeJson(settings.result_file, result, { mode: 0o600 });
  return exitCodes[exitNameOf(result)];
}

async function readSettings(): Promise<HeadlessSettings> {
  const { positionals } = parseArgs({ allowPositionals: true });
  const [file, ...more] = positionals;
  if (file === undefined || more.length > 0)
    throw new Fault('invalid', 'one argument is needed: the settings file', 'run-headless.js SETTINGS.json');
  try {
    return await readJson(file, HeadlessSettings, { follow: true });
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') throw cause;
    throw new Fault('invalid', `there is no file "${file}"`, 'write the settings first', { cause });
  }
}

main().then(
  code => process.exit(code),
  error => {
    const isFault = error instanceof Fault;
    process.stderr.write(isFault ? `${error.message}\n${error.cure}\n` : `${error?.stack ?? error}\n`);
    process.exit(isFault ? exitCodes[error.code] : exitCodes.internal);
  },
);
