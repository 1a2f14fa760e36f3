// The record our status line program keeps aside for one pane: what Claude Code last said of itself.
// null means there is none to be had, which is unknown and never zero.

import { existsSync, readSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { lookAgain } from '../files/look-again.ts';
import { type RateLimit, StatusPayload } from '../protocol/status-record.ts';

export type StatusRecord = {
  tokens: number | null; // null until the first reply of a session, and after /clear and /compact
  window: number | null;
  percent: number | null;
  cost_usd: number | null;
  session_id: string;
  transcript_path: string | null;
  model: string | null;
  version: string | null;
  rate_limits: Record<string, RateLimit> | null;
  read_at: number; // when Claude Code called the status line, not when we looked
};

// The program writes over the old record with one write. A look at that very moment could see half of each, so
// two equal looks are needed; and the first record of all may not be written yet.
const TRIES = 8;
const BETWEEN_MS = 5;
const MAX_BYTES = 1024 * 1024;

export async function readStatusRecord(file: string): Promise<StatusRecord | null> {
  for (let left = TRIES; left > 0; left -= 1) {
    const record = look(file);
    if (record !== null || !existsSync(file)) return record;
    await pause(BETWEEN_MS);
  }
  return null;
}

// Claude Code calls the status line at most three times a second.
const look = lookAgain<StatusRecord>((fd, { size, mtimeMs }) => {
  const line = lineIn(fd, size);
  return line === null || line !== lineIn(fd, size) ? null : toRecord(line, mtimeMs);
});

function lineIn(fd: number, size: number): string | null {
  const bytes = Buffer.alloc(Math.min(size, MAX_BYTES));
  // Behind the first newline stands what a longer old record left.
  const end = bytes.subarray(0, readSync(fd, bytes, { position: 0 })).indexOf(0x0a);
  return end < 0 ? null : bytes.toString('utf8', 0, end);
}

function toRecord(text: string, written: number): StatusRecord | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  const read = StatusPayload.safeParse(value);
  if (!read.success) return null;
  const { session_id, transcript_path, version, model, cost, context_window: context, rate_limits } = read.data;
  // Claude Code reports 0 tokens while it has no usage; that 0 says nothing.
  const used = context?.current_usage ? context.total_input_tokens : null;
  return {
    tokens: used,
    window: context?.context_window_size ?? null,
    percent: used === null ? null : (context?.used_percentage ?? null),
    cost_usd: cost?.total_cost_usd ?? null,
    session_id,
    transcript_path,
    model: model?.id ?? null,
    version,
    rate_limits,
    read_at: written,
  };
}
