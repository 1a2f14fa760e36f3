// A program that asks about the lock named by its argument without a pause, until it is killed.

import { isLocked } from '../../src/lock/lock.ts';

const [file = ''] = process.argv.slice(2);
await isLocked(file);
console.log('asking');
for (;;) await isLocked(file);
