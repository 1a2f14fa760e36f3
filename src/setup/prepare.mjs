// The door of a clone: `node src/setup/prepare.mjs <mode> [args…]`, as package.json calls it.
// Makes the clone ready (programs, packages, build), each step only when it is needed, then hands over.

import { build, isBuildFresh } from './build.mjs';
import { endLike, handOver } from './hand-over.mjs';
import { oneAtATime } from './one-at-a-time.mjs';
import { arePackagesFresh, installPackages } from './packages.mjs';
import { bin, bundledNode, inRoot, nodeFlags } from './paths.mjs';
import { ensurePrograms } from './programs.mjs';
import { Stop, say } from './stop.mjs';
import { runTests } from './test-run.mjs';

// Everything that kills: the simulated handoffs and the real ones.
const faults = ['test/handoff/sim', 'test/watchdog/faults', '--maxConcurrency=3'];

const modes = {
  start: async args => endLike(await handOver(bundledNode, [...nodeFlags, bin, 'demo', ...args])),
  baton: async args => endLike(await handOver(bundledNode, [...nodeFlags, bin, ...args])),
  test: runTests,
  'test:full': args => runTests(args, { ...process.env, BATON_TEST_SIZE: 'full' }),
  'test:faults': args => runTests([...faults, ...args], { ...process.env, BATON_TEST_SIZE: 'full' }),
  bench: async args => endLike(await handOver(bundledNode, [inRoot('test', 'bench', 'bench.mjs'), ...args])),
};

async function prepare(mode) {
  // `baton doctor` tells about missing programs itself, once there is something to run.
  if (mode !== 'baton' || !arePackagesFresh()) await ensurePrograms();
  if (arePackagesFresh() && isBuildFresh()) return;
  await oneAtATime(inRoot('dist', '.setup-lock'), async () => {
    if (!arePackagesFresh()) await installPackages();
    if (!isBuildFresh()) await build();
  });
}

async function main([mode, ...args]) {
  if (!Object.hasOwn(modes, mode ?? ''))
    throw new Stop(2, `usage: node src/setup/prepare.mjs ${Object.keys(modes).join('|')} [args…]`);
  await prepare(mode);
  await modes[mode](args);
}

main(process.argv.slice(2)).catch(error => {
  say(error instanceof Stop ? error.message : (error.stack ?? String(error)));
  process.exitCode = error instanceof Stop ? error.exitCode : 1;
});
