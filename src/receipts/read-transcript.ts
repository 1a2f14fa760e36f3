// Reads Claude Code's transcript of a session: its end for the newest facts, or what was added behind an
// offset. Files grow to many megabytes, so the end is read first and more only when it did not suffice.

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
  const from = Math.max(0, ((await sizeOf(file)) ?? 0) - span);
  const records = await recordsBetween(file, from, from > 0);
  return records.map(record => lastUsage([record])).filter(usage => usage !== null);
}

export const readTurn = (file: string): Promise<Turn> => fromTheEnd(file, turnOf, turn => turn !== 'unknown');

export const readLastMessages = (file: string, count: number): Promise<Message[]> =>
  fromTheEnd(
    file,
    records => lastMessages(records, count),
    messages => messages.length >= count,
  );

export const readTodos = async (file: string): Promise<Todo[]> => todosOf(await recordsBetween(file, 0, false));

// Take `from` with transcriptEnd before sending; the same text said earlier is then not found.
export async function readPrompt(file: string, text: string, from: number): Promise<'turn' | 'queued' | null> {
  return findPrompt(await recordsBetween(file, from, false), text);
}

export async function transcriptEnd(file: string): Promise<number> {
  return (await sizeOf(file)) ?? 0;
}

// A fact found in the last part of the file is the fact; one not found there may lie further up.
async function fromTheEnd<T>(file: string, read: (records: TranscriptRecord[]) => T, enough: (fact: T) => boolean) {
  const size = (await sizeOf(file)) ?? 0;
  for (let span = FIRST_LOOK; ; span *= 8) {
    const from = Math.max(0, size - span);
    const fact = read(await recordsBetween(file, from, from > 0));
    if (enough(fact) || from === 0 || span >= MOST) return fact;
  }
}

async function recordsBetween(file: string, from: number, dropFirst: boolean): Promise<TranscriptRecord[]> {
  const bytes = await bytesFrom(file, from);
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

async function bytesFrom(file: string, from: number): Promise<Buffer> {
  const handle = await openRegular(file).catch(missing);
  if (handle === null) return Buffer.alloc(0);
  try {
    const { size } = await handle.stat();
    // A file shorter than the offset was replaced: all of it is new.
    const start = from > size ? 0 : from;
    const bytes = Buffer.alloc(Math.min(size - start, MOST));
    let filled = 0;
    while (filled < bytes.length) {
      const { bytesRead } = await handle.read(bytes, filled, bytes.length - filled, start + filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    return bytes.subarray(0, filled);
  } finally {
    await handle.close();
  }
}

async function sizeOf(file: string): Promise<number | null> {
  const handle = await openRegular(file).catch(missing);
  if (handle === null) return null;
  try {
    return (await handle.stat()).size;
  } finally {
    await handle.close();
  }
}

function missing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}
