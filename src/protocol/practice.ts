// A practice script: what the model of `baton practice` answers. Rules are tried in order, the first that
// matches answers; its steps follow one another, one for each tool result. Described in docs/practice.md.

import { z } from 'zod';

const Pattern = z.string().superRefine((source, context) => {
  try {
    new RegExp(source, 'm');
  } catch (error) {
    context.addIssue({ code: 'custom', message: `is no regular expression: ${(error as Error).message}` });
  }
});

const Amount = z
  .union([z.number().min(0), z.string().regex(/\{\{/, 'must be a number or hold a placeholder such as {{seconds}}')])
  .describe('A number, or a text with placeholders that becomes one.');

export const practiceErrors = [
  'prompt_too_long',
  'invalid_request',
  'unauthorized',
  'rate_limited',
  'server_error',
  'overloaded',
  'reset',
  'cut',
  'hang',
] as const;

const ToolCall = z.strictObject({
  name: z.string().min(1).describe('Write, Read, Edit, Bash, AskUserQuestion, ExitPlanMode or any other tool.'),
  input: z.record(z.string(), z.json()).describe('As the tool wants it. Every text in it may hold placeholders.'),
  each: Pattern.optional().describe('One call for every match of this; its groups are placeholders in `input`.'),
  from: z
    .enum(['prompt', 'all'])
    .default('prompt')
    .describe('Where `each` looks: the prompt, or system prompt and all prompts of the conversation.'),
  lists: z
    .record(z.string(), z.strictObject({ each: Pattern, item: z.string() }))
    .default({})
    .describe('Further placeholders: `item` for every match of `each`, joined by commas.'),
});
export type PracticeTool = z.infer<typeof ToolCall>;

const Usage = z.strictObject({
  context: Amount.optional().describe('Size of the context; split over the three input figures.'),
  input_tokens: Amount.optional(),
  cache_creation_input_tokens: Amount.optional(),
  cache_read_input_tokens: Amount.optional(),
  output_tokens: Amount.optional(),
});

const Step = z.strictObject({
  say: z.string().optional(),
  tools: z.array(ToolCall).default([]),
  usage: Usage.default({}),
  delay_ms: Amount.default(0).describe('Before the first byte of the answer.'),
  stream_ms: Amount.default(0).describe('The words of `say` are spread over this time.'),
  error: z.enum(practiceErrors).optional().describe('Instead of an answer. cut: the connection ends mid-answer.'),
  retry_after_s: z.number().min(0).optional().describe('Header of rate_limited and overloaded.'),
});

const When = z.strictObject({
  prompt: Pattern.optional().describe('In the last prompt. Its groups are placeholders.'),
  contains: z.string().optional().describe('This very text is in the last prompt.'),
  system: Pattern.optional().describe('In the system prompt.'),
  agent: Pattern.optional().describe('In the name after `BATON_AGENT:` in the system prompt.'),
  tool_result: Pattern.optional().describe('In a tool result that has just come. Its groups are placeholders.'),
  turn: z.int().min(1).optional().describe('The how-many-th prompt of the conversation.'),
  session: z.int().min(1).optional().describe('The how-many-th session since the start.'),
});

const Rule = z.strictObject({
  name: z.string().min(1),
  when: When.default({}),
  times: Amount.optional().describe('How often it may answer in one session. Default: always.'),
  steps: z.array(Step).min(1),
});

export const PracticeScript = z.strictObject({
  about: z.string().min(1),
  vars: z.record(z.string(), z.union([z.string(), z.number()])).default({}),
  context: z
    .strictObject({ start: Amount.default(20_000), per_turn: Amount.default(4000), per_step: Amount.default(500) })
    .default({ start: 20_000, per_turn: 4000, per_step: 500 })
    .describe('Context of an answer without `usage`: start, and how much each turn and each tool round adds.'),
  rules: z.array(Rule),
  follow: z.string().optional().describe('A script of templates/practice whose rules follow these.'),
});
export type PracticeScript = z.infer<typeof PracticeScript>;
export type PracticeRule = z.infer<typeof Rule>;
export type PracticeStep = z.infer<typeof Step>;
export type PracticeError = (typeof practiceErrors)[number];
