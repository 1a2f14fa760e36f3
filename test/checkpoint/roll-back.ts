// A program that rolls back the world given as JSON and kills itself at the n-th step, as kill -9 would.

import { rollbackCheckpoint } from '../../src/checkpoint/restore-checkpoint.ts';

const [world = '', at = ''] = process.argv.slice(2);
let step = 0;
await rollbackCheckpoint({
  ...JSON.parse(world),
  onStep() {
    step += 1;
    if (step === Number(at)) process.kill(process.pid, 'SIGKILL');
  },
});
