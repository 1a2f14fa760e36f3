// Runs a program to its end and keeps what it printed, which is shown only when it failed.

import { spawn } from 'node:child_process';
import { root } from './paths.mjs';

const KEPT_CHARACTERS = 20_000;

// Resolves to { code, output }; code is null when the program could not be started or died of a signal.
export function runQuietly(file, args, env = process.env) {
  return new Promise(resolve => {
    let output = '';
    const keep = chunk => {
      output = (output + chunk).slice(-KEPT_CHARACTERS);
    };
    const child = spawn(file, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
    child.stdout.setEncoding('utf8').on('data', keep);
    child.stderr.setEncoding('utf8').on('data', keep);
    child.on('error', error => resolve({ code: null, output: `${output}${error.message}\n` }));
    child.on('close', code => resolve({ code, output }));
  });
}
