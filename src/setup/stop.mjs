// How set-up gives up: one message, the line to run, an exit code. And how it tells what it is doing.
// Everything goes to stderr, so that `npm run baton -- … --json` keeps a clean stdout.

export class Stop extends Error {
  constructor(exitCode, message) {
    super(message);
    this.exitCode = exitCode;
  }
}

export const say = line => process.stderr.write(`baton: ${line}\n`);

export async function withProgress(what, work) {
  const from = Date.now();
  process.stderr.write(`baton: ${what} …`);
  try {
    const result = await work();
    process.stderr.write(` done in ${seconds(Date.now() - from)}\n`);
    return result;
  } catch (error) {
    process.stderr.write(' failed\n');
    throw error;
  }
}

export function seconds(ms) {
  return ms < 9_950 ? `${(ms / 1000).toFixed(1)} s` : `${Math.round(ms / 1000)} s`;
}
