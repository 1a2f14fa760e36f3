// Reads Claude Code's transcript of a session: its end for the newest facts, or what was added behind an
// offset. Files grow to many megabytes, so the end is read first and more only when it did not suffice.

import { readSync } from 'node:fs';
import { lookAgain } from '../files/look-again.ts';
import { lookIntoRegular } from '../files/read-file.ts';
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

export const readLastUsage = async (file: string): Promise<Usage | null> => lookForUsage(file);

const lookForUsage = lookAgain<Usage>((fd, { size }) => backwards(fd, size, lastUsage, usage => usage !== null));

// The size of every request, oldest first, as far as the last part of the file goes.
export const readUsages = (file: string, span = 8 * 1024 * 1024): Promise<Usage[]> =>
  looking(file, [], (fd, size) => {
    const from = Math.max(0, size - span);
    const records = recordsIn(bytesFrom(fd, from, size), from > 0);
    return records.map(record => lastUsage([record])).filter(usage => usage !== null);
  });

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

export const transcriptEnd = (file: string): Promise<number> => looking(file, 0, (_, size) => size);

// A fact found in the last part of the file is the fact; one not found there may lie further up.
function fromTheEnd<T>(
  file: string,
  read: (records: TranscriptRecord[]) => T,
  enough: (fact: T) => boolean,
): Promise<T> {
  return looking(file, read([]), (fd, size) => backwards(fd, size, read, enough));
}

function backwards<T>(
  fd: number,
  size: number,
  read: (records: TranscriptRecord[]) => T,
  enough: (fact: T) => boolean,
): T {
  for (let span = FIRST_LOOK; ; span *= 8) {
    const from = Math.max(0, size - span);
    const fact = read(recordsIn(bytesFrom(fd, from, size), from > 0));
    if (enough(fact) || from === 0 || span >= MOST) return fact;
  }
}

const recordsAfter = (file: string, from: number): Promise<TranscriptRecord[]> =>
  // A file shorter than the offset was replaced: all of it is new.
  looking(file, [], (fd, size) => recordsIn(bytesFrom(fd, from > size ? 0 : from, size), false));

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

function bytesFrom(fd: number, from: number, size: number): Buffer {
  const bytes = Buffer.alloc(Math.min(size - from, MOST));
  let filled = 0;
  while (filled < bytes.length) {
    const count = readSync(fd, bytes, filled, bytes.length - filled, from + filled);
    if (count === 0) break;
    filled += count;
  }
  return bytes.subarray(0, filled);
}

const looking = async <T>(file: string, none: T, look: (fd: number, size: number) => T): Promise<T> =>
  lookIntoRegular(file, none, (fd, { size }) => look(fd, size));
