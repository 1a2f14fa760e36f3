// The journal of one handoff: append-only lines, each on the disk before the deed it speaks of. Every line
// carries a sum of itself; a last line that a crash tore is left out, and cut off before the next is written.

import { createHash } from 'node:crypto';
import { mkdir, open, readFile } from 'node:fs/promises';
import path from 'node:path';
import { syncFolder } from '../src/files/write-file.ts';
import { Fault } from '../src/protocol/fault.ts';
import { JournalEntry } from '../src/protocol/handoff.ts';
import type { HandoffJournal } from './run-handoff.ts';

const MAX_BYTES = 64 * 1024 * 1024;

export function openJournal(file: string): HandoffJournal {
  let isWhole = false; // nothing half-written stands at the end
  return {
    async read() {
      const { entries } = await readLines(file);
      return entries;
    },
    async append(entry) {
      if (!isWhole) await mend(file);
      isWhole = false; // until this line is whole too
      const handle = await open(file, 'a', 0o600);
      try {
        await handle.appendFile(lineOf(entry));
        await handle.sync();
      } finally {
        await handle.close();
      }
      isWhole = true;
    },
  };
}

const sumOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16);

function lineOf(entry: JournalEntry): string {
  const text = JSON.stringify(entry);
  return `${sumOf(text)} ${text}\n`;
}

async function readLines(file: string): Promise<{ entries: JournalEntry[]; goodBytes: number }> {
  const bytes = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return Buffer.alloc(0);
    throw error;
  });
  if (bytes.length > MAX_BYTES) throw spoilt(file, `it is over ${MAX_BYTES} bytes`);
  const entries: JournalEntry[] = [];
  let goodBytes = 0;
  while (goodBytes < bytes.length) {
    const end = bytes.indexOf(0x0a, goodBytes);
    const entry = end === -1 ? null : parse(bytes.subarray(goodBytes, end).toString('utf8'));
    if (entry === null) {
      // Torn by a crash is only what stands last; anything after it means that the file was changed.
      if (end !== -1 && end + 1 < bytes.length) throw spoilt(file, `line ${entries.length + 1} is not whole`);
      break;
    }
    if (entry.n !== entries.length + 1) throw spoilt(file, `line ${entries.length + 1} is numbered ${entry.n}`);
    entries.push(entry);
    goodBytes = end + 1;
  }
  return { entries, goodBytes };
}

function parse(line: string): JournalEntry | null {
  const [sum, text] = [line.slice(0, 16), line.slice(17)];
  if (sumOf(text) !== sum) return null;
  const form = JournalEntry.safeParse(JSON.parse(text));
  return form.success ? form.data : null;
}

async function mend(file: string): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  const { goodBytes } = await readLines(file);
  const handle = await open(file, 'a', 0o600);
  try {
    if ((await handle.stat()).size !== goodBytes) await handle.truncate(goodBytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await syncFolder(path.dirname(file)); // the name of a new file is lost without it
}

const spoilt = (file: string, why: string): Fault =>
  new Fault(
    'invalid',
    `the handoff journal "${file}" cannot be read: ${why}`,
    'Move the file away: the handoff is then given up, and its document and commit stay.',
  );
