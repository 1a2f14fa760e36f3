// What the launcher wrote about an attempt: that it began, and with which code it ended.

import { readFileSync } from 'node:fs';
import { constants } from 'node:os';
import type { Exit } from '../run/run-state.ts';

const signalNames = new Map(
  Object.entries(constants.signals).map(([name, number]) => [number, name.replace(/^SIG/, '')]),
);

export function readExit(mark: string): Exit | null {
  const match = /^(\d+)\n$/.exec(readText(`${mark}.exit`) ?? '');
  if (!match) return null;
  const code = Number(match[1]);
  // A shell tells a signal as 128 and its number; a program that ends so by itself looks the same.
  return { code, signal: code > 128 ? (signalNames.get(code - 128) ?? null) : null };
}

export const hasStarted = (mark: string): boolean => readText(`${mark}.started`) !== null;

function readText(file: string): string | null {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return null;
  }
}
