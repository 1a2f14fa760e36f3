// events.ndjson: the one record of an execution. Read back whole, appended by the one engine that holds
// the lock. A line cut short by a crash never happened: it is removed before anything is appended.

import { closeSync, constants, fdatasync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
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

export function readJournal(file: string): { events: Event[]; wholeBytes: number } {
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { events: [], wholeBytes: 0 };
    throw error;
  }
  const wholeBytes = bytes.lastIndexOf(10) + 1;
  const lines = bytes.subarray(0, wholeBytes).toString('utf8').split('\n');
  const events = lines.flatMap((line, index) => (line === '' ? [] : [parseLine(line, file, index + 1)]));
  return { events, wholeBytes };
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
