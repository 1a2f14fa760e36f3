// Reads Claude Code's transcript of a session: its end for the newest facts, or what was added behind an
// offset. Files grow to many megabytes, so the end is read first and more only when it did not suffice.

import type { FileHandle } from 'node:fs/promises';
import { openRegular } from '../files/read-file.ts';
import {
  findPrompt,
  lastMessages,
  lastUsage,
  type Message,
  type TranscriptRecord,
  type Turn,
  turnOf,
  type Usage,
} from './transcript-facts.ts';
import { type Todo, todosOf } from './transcript-todos.ts';

const FIRST_LOOK = 32 * 1024; // read for every status line of every pane
const MOST = 64 * 1024 * 1024;

export const readLastUsage = (file: string): Promise<Usage | null> =>
  fromTheEnd(file, lastUsage, usage => usage !== null);

// The size of every request, oldest first, as far as the last part of the file goes.
export async function readUsages(file: string, span = 8 * 1024 * 1024): Promise<Usage[]> {
  return withFile(file, [], async (handle, size) => {
    const from = Math.max(0, size - span);
    const records = recordsIn(await bytesFrom(handle, from, size), from > 0);
    return records.map(record => lastUsage([record])).filter(usage => usage !== null);
  });
}

export const readTurn = (file: string): Promise<Turn> => fromTheEnd(file, turnOf, turn => turn !== 'unknown');

export const readLastMessages = (file: string, count: number): Promise<Message[]> =>
  fromTheEnd(
    file,
    records => lastMessages(records, count),
    messages => messages.length >= count,
  );

export const readTodos = async (file: string): Promise<Todo[]> => todosOf(await recordsAfter(file, 0));

// Take `from` with transcriptEnd before sending; the same text said earlier is then not found.
export async function readPrompt(file: string, text: string, from: number): Promise<'turn' | 'queued' | null> {
  return findPrompt(await recordsAfter(file, from), text);
}

export const transcriptEnd = (file: string): Promise<number> => withFile(file, 0, async (_, size) => size);

// A fact found in the last part of the file is the fact; one not found there may lie further up.
function fromTheEnd<T>(
  file: string,
  read: (records: TranscriptRecord[]) => T,
  enough: (fact: T) => boolean,
): Promise<T> {
  return withFile(file, read([]), async (handle, size) => {
    for (let span = FIRST_LOOK; ; span *= 8) {
      const from = Math.max(0, size - span);
      const fact = read(recordsIn(await bytesFrom(handle, from, size), from > 0));
      if (enough(fact) || from === 0 || span >= MOST) return fact;
    }
  });
}

const recordsAfter = (file: string, from: number): Promise<TranscriptRecord[]> =>
  // A file shorter than the offset was replaced: all of it is new.
  withFile(file, [], async (handle, size) => recordsIn(await bytesFrom(handle, from > size ? 0 : from, size), false));

function recordsIn(bytes: Buffer, dropFirst: boolean): TranscriptRecord[] {
  // What follows the last newline is still being written.
  const lines = bytes
    .subarray(0, bytes.lastIndexOf(0x0a) + 1)
    .toString('utf8')
    .split('\n');
  return lines.slice(dropFirst ? 1 : 0).flatMap(line => {
    try {
      const value: unknown = JSON.parse(line);
      return typeof value === 'object' && value !== null ? [value as TranscriptRecord] : [];
    } catch {
      return [];
    }
  });
}

async function bytesFrom(handle: FileHandle, from: number, size: number): Promise<Buffer> {
  const bytes = Buffer.alloc(Math.min(size - from, MOST));
  let filled = 0;
  while (filled < bytes.length) {
    const { bytesRead } = await handle.read(bytes, filled, bytes.length - filled, from + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return bytes.subarray(0, filled);
}

// Opened once for each look: every status line of every pane makes one.
async function withFile<T>(file: string, none: T, work: (handle: FileHandle, size: number) => Promise<T>): Promise<T> {
  const handle = await openRegular(file).catch(missing);
  if (handle === null) return none;
  try {
    return await work(handle, (await handle.stat()).size);
  } finally {
    await handle.close();
  }
}

function missing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}
