// What the hooks of a Claude Code pane note, one line per event (docs/receipts.md). A receipt is a hint: Esc,
// local refusals and crashes leave none, so state is never read from receipts alone.

import { z } from 'zod';

const text = z.string().nullable().catch(null);

const head = {
  pane: text,
  session_id: text,
  transcript_path: text,
  prompt_id: text,
  agent_id: text.describe('Set when a subagent (compaction is one) raised the event: it is no end of the turn.'),
};

const of = <E extends string, S extends z.ZodRawShape>(event: E, shape: S) =>
  z.object({ event: z.literal(event), ...head, ...shape });

export const Receipt = z.discriminatedUnion('event', [
  of('SessionStart', { source: text, model: text }),
  of('SessionEnd', { reason: text }),
  of('UserPromptSubmit', { prompt: text }),
  of('Stop', { ordered: text }),
  of('StopFailure', { error: text, last_assistant_message: text, error_details: text }),
  of('PermissionRequest', { tool: text, tool_input: z.record(z.string(), z.unknown()).nullable().catch(null) }),
  of('PreCompact', { trigger: text, blocked: z.boolean() }),
  of('PostToolUse', { tool: text, ordered: text }),
  of('Notification', { notification_type: text, message: text }),
]);
export type Receipt = z.infer<typeof Receipt>;
export type ReceiptEvent = Receipt['event'];

export const receiptEvents = Receipt.options.map(option => option.shape.event.value);

const Line = z.object({
  payload: z.record(z.string(), z.unknown()).nullable(),
  event: z.string(),
  tool: z.string().nullable(),
  pane: z.string().nullable(),
  session_id: z.string().nullable(),
  blocked: z.boolean().default(false),
  ordered: z.string().nullable().default(null), // the order this hook handed to the model
});

// null: not a whole receipt. What a payload lacks is null in the receipt, never guessed.
export function parseReceipt(line: string): Receipt | null {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return null;
  }
  const read = Line.safeParse(value);
  if (!read.success) return null;
  const { payload, event, tool, pane, session_id, blocked, ordered } = read.data;
  const told = payload ?? {};
  const whose = typeof told.session_id === 'string' ? told.session_id : session_id;
  const receipt = Receipt.safeParse({
    ...told,
    event,
    pane,
    blocked,
    ordered,
    session_id: whose,
    tool: tool ?? told.tool_name,
  });
  return receipt.success ? receipt.data : null;
}
