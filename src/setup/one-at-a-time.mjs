// One set-up at a time in one clone: a folder as the lock, because making a folder either succeeds or
// not. A lock whose holder is dead, or that is absurdly old, is taken over. (The product's own locks
// live in src/files; they need packages, which do not exist yet when this runs.)

import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { say } from './stop.mjs';

const OLD_MS = 15 * 60_000; // no install takes this long
const NAMELESS_MS = 10_000; // between making the folder and writing the pid lie microseconds
const LOOK_EVERY_MS = 100;

export async function oneAtATime(folder, work) {
  mkdirSync(path.dirname(folder), { recursive: true });
  let told = false;
  while (!tryTake(folder)) {
    if (isAbandoned(folder)) discard(folder);
    else {
      if (!told) say('another set-up is at work in this clone; waiting for it');
      told = true;
      await sleep(LOOK_EVERY_MS);
    }
  }
  const release = () => rmSync(folder, { recursive: true, force: true });
  process.once('exit', release);
  try {
    return await work();
  } finally {
    release();
    process.off('exit', release);
  }
}

function tryTake(folder) {
  try {
    mkdirSync(folder);
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
  writeFileSync(path.join(folder, 'pid'), String(process.pid));
  return true;
}

export function isAbandoned(folder, now = Date.now()) {
  const made = statSync(folder, { throwIfNoEntry: false });
  if (made === undefined) return false; // released this very moment: just try again
  const age = now - made.mtimeMs;
  const pid = readPid(folder);
  if (pid === null) return age > NAMELESS_MS;
  return age > OLD_MS || !isAlive(pid);
}

function readPid(folder) {
  try {
    return Number(readFileSync(path.join(folder, 'pid'), 'utf8')) || null;
  } catch {
    return null; // not written yet, or just removed
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

// Moved aside first: of two that find the same dead lock, only one can move it.
function discard(folder) {
  const aside = `${folder}.${process.pid}`;
  try {
    renameSync(folder, aside);
    rmSync(aside, { recursive: true, force: true });
  } catch {
    // The other one was faster; the loop looks again.
  }
}
