// A program that takes the lock named by its argument, says so, starts a child that outlives it if asked,
// and waits to be killed.

import { spawn } from 'node:child_process';
import { acquireLock } from '../../src/lock/lock.ts';

const [file = '', child = ''] = process.argv.slice(2);
const lock = await acquireLock(file, { what: 'holding' });
const sleeper = child ? spawn('sleep', ['60'], { detached: true, stdio: 'ignore' }).pid : 0;
console.log(JSON.stringify({ held: lock.held, pid: process.pid, sleeper }));
setInterval(() => {}, 1000);
