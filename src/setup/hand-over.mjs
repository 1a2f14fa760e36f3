// The real work in a child: same terminal, same signals, same end.

import { spawn } from 'node:child_process';

// A terminal sends Ctrl-C to the whole group, so the child has it already; passing it on as well would
// make one press look like two, and two mean "leave at once".
const forwarded = () => (process.stdin.isTTY ? ['SIGTERM', 'SIGHUP'] : ['SIGTERM', 'SIGHUP', 'SIGINT']);

// Resolves to { code, signal } of the child. Listens before it starts the child: a signal that comes
// while the child starts would end this process and leave the child alone.
export function handOver(file, args, options = {}) {
  return new Promise((resolve, reject) => {
    let child = null;
    const ignore = () => {};
    const listeners = [['SIGINT', ignore], ...forwarded().map(signal => [signal, () => child?.kill(signal)])];
    for (const [signal, listener] of listeners) process.on(signal, listener);
    const finish = () => {
      for (const [signal, listener] of listeners) process.off(signal, listener);
    };
    child = spawn(file, args, { stdio: 'inherit', ...options });
    child.on('error', error => {
      finish();
      reject(error);
    });
    child.on('exit', (code, signal) => {
      finish();
      resolve({ code, signal });
    });
  });
}

// Ends this process the way the child ended, so that a caller sees no difference.
export function endLike({ code, signal }) {
  if (signal !== null) process.kill(process.pid, signal);
  else process.exitCode = code ?? 1;
}
