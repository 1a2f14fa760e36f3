// events.ndjson: the one record of an execution. Read back whole, appended by the one engine that holds
// the lock. A line cut short by a crash never happened: it is removed before anything is appended.

import { closeSync, constants, fdatasync, fstatSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs';
import { promisify } from 'node:util';
import { Event } from '../protocol/event.ts';
import { Fault } from '../protocol/fault.ts';

const sync = promisify(fdatasync);

export type NewEvent = Event extends infer E ? (E extends Event ? Omit<E, 'id' | 'time'> : never) : never;

export type Journal = {
  append(event: Event): void;
  flush(): Promise<void>; // what was appended survives a power cut
  close(): void;
};

export type ReadJournal = { events: Event[]; wholeBytes: number; isWhole: boolean };

// From an earlier end on, for those who follow it; a file that became shorter is another one, and is read whole.
export function readJournal(file: string, from = 0): ReadJournal {
  const bytes = bytesFrom(file, from);
  if (bytes === null) return { events: [], wholeBytes: 0, isWhole: true };
  const length = bytes.text.lastIndexOf(10) + 1;
  const lines = bytes.text.subarray(0, length).toString('utf8').split('\n');
  const events = lines.flatMap((line, index) => (line === '' ? [] : [parseLine(line, file, index + 1)]));
  return { events, wholeBytes: bytes.from + length, isWhole: bytes.from === 0 };
}

function bytesFrom(file: string, wanted: number): { text: Buffer; from: number } | null {
  let fd: number;
  try {
    fd = openSync(file, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  try {
    const { size } = fstatSync(fd);
    const from = wanted <= size ? wanted : 0;
    const text = Buffer.alloc(size - from);
    let length = 0;
    while (length < text.length) {
      const read = readSync(fd, text, length, text.length - length, from + length);
      if (read === 0) break; // cut meanwhile
      length += read;
    }
    return { text: text.subarray(0, length), from };
  } finally {
    closeSync(fd);
  }
}

function parseLine(line: string, file: string, number: number): Event {
  try {
    return Event.parse(JSON.parse(line));
  } catch (cause) {
    const cure =
      'the file was changed by hand or by another version; restore it, or run the request in a new workspace';
    throw new Fault('invalid', `${file}: line ${number} is not an event`, cure, { cause });
  }
}

export function openJournal(file: string, wholeBytes: number): Journal {
  // Never through a link: what an agent put there is neither cut nor written.
  const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW } = constants;
  const fd = openSync(file, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW, 0o644);
  ftruncateSync(fd, wholeBytes);
  let size = wholeBytes;
  return {
    append(event) {
      const line = Buffer.from(`${JSON.stringify(event)}\n`);
      writeWhole(fd, line, size);
      size += line.length;
    },
    flush: () => sync(fd),
    close: () => closeSync(fd),
  };
}

// A disk that fills up may take a part of a line and refuse the rest: half a line would spoil the next one.
function writeWhole(fd: number, line: Buffer, size: number): void {
  try {
    for (let written = 0; written < line.length; ) written += writeSync(fd, line, written);
  } catch (error) {
    ftruncateSync(fd, size);
    throw error;
  }
}
