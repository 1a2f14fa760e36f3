// What is answered to a request, with which figures. Pure: what a session has had so far comes in and goes out.

import type { PracticeError, PracticeRule, PracticeScript, PracticeStep } from '../protocol/practice.ts';
import { type Choice, chooseRule, type Memory } from './choose-rule.ts';
import { fillNumber, fillText, type Values } from './fill-text.ts';
import type { Asked } from './read-asked.ts';
import { type ToolUse, toolUses } from './tool-uses.ts';

export type Usage = {
  input_tokens: number;
  cache_creation_input_tokens: number;
  cache_read_input_tokens: number;
  output_tokens: number;
};
export type Reply = {
  rule: string;
  text: string;
  tools: ToolUse[];
  usage: Usage;
  delayMs: number;
  streamMs: number;
  error: PracticeError | null;
  retryAfterS: number | null;
};

const CACHED_LATELY = 1200;
const UNCACHED = 3;

export function chooseReply(script: PracticeScript, asked: Asked, memory: Memory): { reply: Reply; memory: Memory } {
  const after = { ...memory, requests: memory.requests + 1 };
  const base = baseValues(script, asked, memory);
  if (asked.kind === 'compact') {
    return {
      reply: plainReply('compact', '<summary>A practice script wrote this summary.</summary>', base),
      memory: after,
    };
  }
  const choice = asked.kind === 'side' ? null : chooseRule(script, asked, memory);
  if (choice === null) {
    const text = asked.toolResults.length > 0 ? 'Done.' : politeAnswer(asked);
    return { reply: plainReply('default', text, base), memory: after };
  }
  const rule = script.rules[choice.index]!;
  const fired = { ...memory.fired, [choice.index]: (memory.fired[choice.index] ?? 0) + 1 };
  const values = { ...base, ...choice.values };
  const reply = stepReply(rule, choice, values, asked, memory.requests);
  return { reply, memory: choice.step === 0 ? { ...after, fired } : after };
}

function stepReply(rule: PracticeRule, choice: Choice, values: Values, asked: Asked, request: number): Reply {
  for (let at = choice.step; at < rule.steps.length; at += 1) {
    const step = rule.steps[at]!;
    const tools = toolUses(step, values, asked, `toolu_r${choice.index}s${at}n${asked.session.slice(0, 8)}${request}`);
    // `each` found nothing to do: an answer without a call would end the turn before the steps that follow.
    if (tools.length === 0 && step.tools.length > 0 && step.error === undefined) continue;
    const text = fillText(step.say ?? '', values);
    return {
      rule: rule.name,
      text,
      tools,
      usage: usageOf(step.usage, text, tools, values),
      delayMs: fillNumber(step.delay_ms, values),
      streamMs: fillNumber(step.stream_ms, values),
      error: step.error ?? null,
      retryAfterS: step.retry_after_s ?? null,
    };
  }
  return plainReply(rule.name, 'Done.', values);
}

function usageOf(given: PracticeStep['usage'], text: string, tools: readonly ToolUse[], values: Values): Usage {
  const fill = (amount: number | string | undefined, otherwise: number) =>
    amount === undefined ? otherwise : Math.round(fillNumber(amount, values));
  const context = fill(given.context, Number(values.context));
  const input = fill(given.input_tokens, Math.min(UNCACHED, context));
  const created = fill(given.cache_creation_input_tokens, Math.min(CACHED_LATELY, context - Math.min(input, context)));
  return {
    input_tokens: input,
    cache_creation_input_tokens: created,
    cache_read_input_tokens: fill(given.cache_read_input_tokens, Math.max(0, context - input - created)),
    output_tokens: fill(given.output_tokens, Math.ceil((text.length + JSON.stringify(tools).length) / 4)),
  };
}

function baseValues(script: PracticeScript, asked: Asked, memory: Memory): Values {
  const turn = Math.max(1, asked.prompts.length);
  const { start, per_turn, per_step } = script.context;
  const fill = (amount: number | string) => fillNumber(amount, script.vars);
  return {
    ...script.vars,
    prompt: asked.prompts.at(-1)?.text ?? '',
    session: asked.session,
    session_number: memory.number,
    agent: asked.agent || 'practice',
    model: asked.model,
    turn,
    context: fill(start) + fill(per_turn) * (turn - 1) + fill(per_step) * asked.rounds,
  };
}

// Short: a long prompt given back would fill the pane, and could be taken for what it speaks about.
function politeAnswer(asked: Asked): string {
  const [line = ''] = (asked.prompts.at(-1)?.text ?? '').split('\n');
  return `I am a practice script, not a model. I have read your ${line.length > 40 ? 'long ' : ''}message.`;
}

function plainReply(rule: string, text: string, values: Values): Reply {
  return {
    rule,
    text,
    tools: [],
    usage: usageOf({}, text, [], values),
    delayMs: 0,
    streamMs: 0,
    error: null,
    retryAfterS: null,
  };
}
