// The record our status line program keeps aside for one pane: what Claude Code last said of itself.
// null means there is none to be had, which is unknown and never zero.

import { setTimeout as pause } from 'node:timers/promises';
import { openRegular } from '../files/read-file.ts';
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

// The program rewrites the file in place, so a look may fall between emptying and writing.
const TRIES = 4;
const BETWEEN_MS = 5;
const MAX_BYTES = 1024 * 1024;

export async function readStatusRecord(file: string): Promise<StatusRecord | null> {
  for (let left = TRIES; left > 0; left -= 1) {
    const look = await lookAt(file);
    if (look === 'missing') return null;
    if (look !== 'torn') return look;
    if (left > 1) await pause(BETWEEN_MS);
  }
  return null;
}

async function lookAt(file: string): Promise<StatusRecord | 'missing' | 'torn'> {
  let text: string;
  let written: number;
  try {
    const handle = await openRegular(file);
    try {
      const stats = await handle.stat();
      if (stats.size > MAX_BYTES) return 'missing';
      written = stats.mtimeMs;
      text = await handle.readFile('utf8');
    } finally {
      await handle.close();
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 'missing';
    throw error;
  }
  if (!text.endsWith('\n')) return 'torn';
  return toRecord(text, written) ?? 'missing';
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
