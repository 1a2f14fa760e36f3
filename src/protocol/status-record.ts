// What Claude Code tells its status line program, as our status line keeps it aside (docs/receipts.md).
// Only the fields Baton reads; everything is optional, because the form belongs to Claude Code.

import { z } from 'zod';

const text = z.string().nullable().catch(null);
const count = z.int().min(0).nullable().catch(null);
const amount = z.number().min(0).nullable().catch(null);

const RateLimit = z.object({
  used_percentage: amount.describe('0 to 100'),
  resets_at: amount.describe('Seconds since 1970.'),
});
export type RateLimit = z.infer<typeof RateLimit>;

export const StatusPayload = z.object({
  session_id: z.string().min(1),
  transcript_path: text,
  version: text,
  model: z.object({ id: text }).nullable().catch(null),
  cost: z.object({ total_cost_usd: amount }).nullable().catch(null),
  context_window: z
    .object({
      total_input_tokens: count,
      context_window_size: count,
      current_usage: z.record(z.string(), z.unknown()).nullable().catch(null),
      used_percentage: amount,
    })
    .nullable()
    .catch(null),
  rate_limits: z.record(z.string(), RateLimit).nullable().catch(null),
});
export type StatusPayload = z.infer<typeof StatusPayload>;
