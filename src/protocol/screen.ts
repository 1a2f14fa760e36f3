// What Baton reads on the screen of a Claude Code pane: the answer of readScreen and of `baton screen --json`.

import { z } from 'zod';

export const ScreenState = z.enum([
  'idle',
  'busy',
  'retrying',
  'permission',
  'question',
  'plan',
  'trust',
  'onboarding',
  'login',
  'api_key',
  'bypass',
  'mcp',
  'slash_menu',
  'rewind',
  'compacting',
  'exit_armed',
  'exited',
  'shell',
  'unknown',
]);
export type ScreenState = z.infer<typeof ScreenState>;

export const ScreenContext = z.strictObject({
  tokens: z.int().min(0).nullable(),
  percent: z.number().min(0).nullable().describe('Of the window, in use.'),
  window: z.int().min(1).nullable(),
  is_new: z.boolean().describe('The status line says that nothing was answered yet.'),
  session: z.string().nullable().describe('The beginning of the session id, where the line carries it.'),
  text: z.string().describe('The row this was read from.'),
});
export type ScreenContext = z.infer<typeof ScreenContext>;

export const ScreenErrorKind = z.enum([
  'rate_limit',
  'overloaded',
  'server',
  'auth',
  'connection',
  'invalid_request',
  'usage_limit',
  'context_limit',
  'other',
]);
export type ScreenErrorKind = z.infer<typeof ScreenErrorKind>;

export const ScreenError = z.strictObject({
  kind: ScreenErrorKind,
  message: z.string(),
  resets_at: z.string().nullable().describe('When a usage limit ends, in the words on the screen.'),
  is_retrying: z.boolean(),
});
export type ScreenError = z.infer<typeof ScreenError>;

export const ScreenReading = z.strictObject({
  state: ScreenState,
  safe_to_type: z.boolean().describe('Proven: an empty input box that has the keyboard, and no turn under way.'),
  draft: z.string().nullable().describe('Text in the input box as it is shown: a wrapped line is two.'),
  placeholder: z.string().nullable(),
  context: ScreenContext.nullable(),
  error: ScreenError.nullable(),
});
export type ScreenReading = z.infer<typeof ScreenReading>;

export const ScreenOption = z.strictObject({ number: z.int(), label: z.string(), selected: z.boolean() });
export type ScreenOption = z.infer<typeof ScreenOption>;

export const ScreenQuestion = z.strictObject({
  title: z.string(),
  body: z.string(),
  options: z.array(ScreenOption),
  digest: z
    .string()
    .describe('Of title, body and labels, not of the selection: the same question has the same digest.'),
});
export type ScreenQuestion = z.infer<typeof ScreenQuestion>;
