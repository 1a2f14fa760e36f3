// Follows one pane's receipts in the order of the file. A change notice of the file system wakes it; a slow
// sweep finds what a lost notice would have hidden.

import { type FSWatcher, watch } from 'node:fs';
import path from 'node:path';
import type { Clock } from '../clock/clock.ts';
import { realClock } from '../clock/clock.ts';
import { parseReceipt, type Receipt } from '../protocol/receipt.ts';
import { openLineCursor } from './line-cursor.ts';

// `at` is when Baton saw it: the hooks have no clock. `end` is where to go on after a restart.
export type Arrival = { receipt: Receipt; at: number; end: number };

export type TailOptions = {
  signal: AbortSignal;
  from?: number;
  sweepMs?: number | undefined;
  clock?: Clock;
  onDamaged?: (line: string) => void;
};

const SWEEP_MS = 1000;

export async function* followReceipts(file: string, options: TailOptions): AsyncGenerator<Arrival, void, void> {
  const { signal, from = 0, sweepMs = SWEEP_MS, clock = realClock, onDamaged = () => {} } = options;
  const cursor = openLineCursor(file, from);
  let wake = () => {};
  let changed = true;
  const notice = () => {
    changed = true;
    wake();
  };
  const watcher = watchFolderOf(file, notice);
  const sweep = setInterval(notice, sweepMs);
  signal.addEventListener('abort', notice);
  try {
    while (!signal.aborted) {
      if (!changed) await new Promise<void>(resolve => (wake = resolve));
      changed = false;
      for (const { text, end } of await cursor.take()) {
        const receipt = parseReceipt(text);
        if (receipt === null) onDamaged(text);
        else yield { receipt, at: clock.now(), end };
        if (signal.aborted) return;
      }
    }
  } finally {
    signal.removeEventListener('abort', notice);
    clearInterval(sweep);
    watcher?.close();
  }
}

// Everything noted so far, for a process that starts late.
export async function readReceipts(file: string, from = 0, clock: Clock = realClock): Promise<Arrival[]> {
  const lines = await openLineCursor(file, from).take();
  return lines.flatMap(({ text, end }) => {
    const receipt = parseReceipt(text);
    return receipt === null ? [] : [{ receipt, at: clock.now(), end }];
  });
}

// The folder, not the file: the first hook makes the file. Without notices the sweep still works.
function watchFolderOf(file: string, notice: () => void): FSWatcher | null {
  const name = path.basename(file);
  try {
    const watcher = watch(path.dirname(file), { persistent: false }, (_, changed) => {
      if (changed === null || changed === name) notice();
    });
    watcher.on('error', () => watcher.close());
    return watcher;
  } catch {
    return null;
  }
}
