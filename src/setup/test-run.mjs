// `npm test`: format and lint, then vitest; the last line is the tally, and the exit code agrees with it.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { handOver } from './hand-over.mjs';
import { bundledNode, inRoot, root } from './paths.mjs';
import { say } from './stop.mjs';

// `env` is the environment of the tests: BATON_TEST_SIZE in it decides how much they try.
export async function runTests(extra, env = process.env) {
  const lint = await handOver(bundledNode, [inRoot('node_modules', '@biomejs', 'biome', 'bin', 'biome'), 'check'], {
    cwd: root,
  });
  if (lint.code !== 0) say('biome found problems; `node_modules/.bin/biome check --write` mends most of them');

  const folder = mkdtempSync(path.join(os.tmpdir(), 'baton-tally-'));
  const result = path.join(folder, 'vitest.json');
  try {
    const ended = await handOver(bundledNode, vitestArgs(result, extra), { cwd: root, env });
    const tally = toTally({ vitest: readJson(result), vitestCode: ended.code, lintCode: lint.code });
    process.stdout.write(`${tally.passed} passed, ${tally.failed} failed\n`);
    process.exitCode = tally.exitCode;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function vitestArgs(result, extra) {
  const config = ['--root', root, '--config', inRoot('test', 'vitest.config.ts')];
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${result}`];
  return [inRoot('node_modules', 'vitest', 'vitest.mjs'), 'run', ...config, ...reporters, ...extra];
}

function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null; // vitest ended before it wrote anything, which its exit code tells
  }
}

// A file that could not be loaded has no tests to fail, and an error outside of tests belongs to none:
// both count as one failure, and so does the lint, so that "0 failed" always means exit code 0.
export function toTally({ vitest, vitestCode, lintCode }) {
  const passed = vitest?.numPassedTests ?? 0;
  const broken = (vitest?.testResults ?? []).filter(
    file => file.status === 'failed' && !file.assertionResults.some(isFailed),
  );
  let failed = (vitest?.numFailedTests ?? 0) + broken.length;
  if (failed === 0 && (vitestCode !== 0 || passed === 0)) failed = 1;
  if (lintCode !== 0) failed += 1;
  return { passed, failed, exitCode: failed === 0 ? 0 : 1 };
}

const isFailed = test => test.status === 'failed';
