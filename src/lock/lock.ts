// The one lock of this product: an exclusive transaction of SQLite on an empty file. It dies with its
// holder (kill -9 too) and children do not inherit it. The JSON beside it says who, and proves nothing.

import { chmodSync, lstatSync, mkdirSync, rmSync, type Stats } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { forbidOpening } from '../files/never-open.ts';
import { readRegular } from '../files/read-file.ts';
import { writeJson } from '../files/write-file.ts';
import { Fault } from '../protocol/fault.ts';

export type Holder = { pid: number; what: string; since: string };
export type Lock = { held: true; release(): void };
export type Held = { held: false; by: Holder | null };

// Somebody who only asks holds the file for well under a millisecond; two who want it may both step back once.
const TRIES = 6;
const PAUSE_MS = 15;

const SQLITE_BUSY = 5;

// A database that nobody refers to is closed by the garbage collector, and its lock with it.
const open = new Set<DatabaseSync>();

export async function acquireLock(file: string, holder: { what: string }): Promise<Lock | Held> {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  refuseForeign(file, look(file));
  for (let tried = 0; tried < TRIES; tried += 1) {
    if (tried > 0) await sleep(PAUSE_MS * (0.5 + Math.random()));
    const database = begin(file);
    if (database !== null) return keep(file, database, holder.what);
  }
  return { held: false, by: await readHolder(file) };
}

// Null when it is free. Never creates the file.
export async function isLocked(file: string): Promise<Held | null> {
  const stats = look(file);
  if (stats === null || !stats.isFile() || stats.size > 0) return null;
  const database = new DatabaseSync(file, { readOnly: true, timeout: 0 });
  try {
    database.exec('SELECT 1 FROM sqlite_master');
    return null;
  } catch (error) {
    if (!isBusy(error)) throw error;
  } finally {
    database.close();
  }
  return { held: false, by: await readHolder(file) };
}

function begin(file: string): DatabaseSync | null {
  const database = new DatabaseSync(file, { timeout: 0 });
  try {
    // In memory, because kill -9 would leave a journal file behind.
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    return database;
  } catch (error) {
    database.close();
    if (isBusy(error)) return null;
    throw error;
  }
}

async function keep(file: string, database: DatabaseSync, what: string): Promise<Lock> {
  open.add(database);
  // By path: a descriptor of our own, once closed, would drop the lock (see never-open.ts).
  chmodSync(file, 0o600);
  const allowOpening = forbidOpening(lstatSync(file));
  const holder: Holder = { pid: process.pid, what, since: new Date().toISOString() };
  // Only information: without it (a full disk) the lock is as good.
  await writeJson(holderFile(file), holder, { mode: 0o600, sync: false }).catch(() => {});
  const release = () => {
    if (!open.delete(database)) return;
    rmSync(holderFile(file), { force: true });
    database.close();
    allowOpening();
  };
  return { held: true, release };
}

const holderFile = (file: string) => `${file}.json`;

async function readHolder(file: string): Promise<Holder | null> {
  try {
    const holder: Holder = JSON.parse((await readRegular(holderFile(file), { max: 65_536 })).toString());
    if (!Number.isInteger(holder.pid) || holder.pid <= 0) return null;
    if (typeof holder.what !== 'string' || typeof holder.since !== 'string') return null;
    return isAlive(holder.pid) ? { pid: holder.pid, what: holder.what, since: holder.since } : null;
  } catch {
    // Not written yet, or broken by somebody: then nobody can say who it is.
    return null;
  }
}

// A name left by a holder that was killed must not be given for the present one.
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function look(file: string): Stats | null {
  return lstatSync(file, { throwIfNoEntry: false }) ?? null;
}

// Our lock files stay empty for ever. One with content is somebody's file, or a database made to fool us.
function refuseForeign(file: string, stats: Stats | null): void {
  if (stats === null || (stats.isFile() && stats.size === 0)) return;
  const what = stats.isFile() ? 'has content' : 'is not a regular file';
  throw new Fault('refused', `"${file}" ${what}, so it is not a lock of Baton.`, 'Move it away and try again.');
}

function isBusy(error: unknown): boolean {
  return (error as { errcode?: number }).errcode === SQLITE_BUSY;
}
