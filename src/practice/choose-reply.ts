// Which rule answers a request, and with what. Pure: what a session has had so far comes in and goes out.

import type { PracticeError, PracticeRule, PracticeScript, PracticeStep } from '../protocol/practice.ts';
import { fillJson, fillNumber, fillText, groupsOf, type Values } from './fill-text.ts';
import type { Asked } from './read-asked.ts';

export type Usage = {
  input_tokens: number;
  cache_creation_input_tokens: number;
  cache_read_input_tokens: number;
  output_tokens: number;
};
export type ToolUse = { id: string; name: string; input: Record<string, unknown> };
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

// fired: how often each rule has answered in this session.
export type Memory = { number: number; requests: number; fired: Readonly<Record<number, number>> };
type Choice = { index: number; step: number; values: Record<string, string> };

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
  const choice = asked.kind === 'side' ? null : choose(script, asked, memory);
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

function choose({ rules, vars }: PracticeScript, asked: Asked, memory: Memory): Choice | null {
  const timesOf = ({ times }: PracticeRule) =>
    times === undefined ? Number.POSITIVE_INFINITY : fillNumber(times, vars);
  const fresh = (isWanted: (rule: PracticeRule, index: number) => boolean): Choice | null => {
    for (const [index, rule] of rules.entries()) {
      if (!isWanted(rule, index) || (memory.fired[index] ?? 0) >= timesOf(rule)) continue;
      const values = match(rule, asked, asked.prompts.length - 1, memory.number);
      if (values !== null) return { index, step: 0, values };
    }
    return null;
  };
  if (asked.toolResults.length === 0) return fresh(rule => rule.when.tool_result === undefined);
  // Something typed during a turn changes its course only where a rule speaks of it; else the work goes on.
  const typed = asked.prompts.at(-1);
  const isNews = asked.kind === 'prompt' && typed?.isMidTurn;
  return (
    fresh(rule => rule.when.tool_result !== undefined) ??
    (isNews ? fresh(rule => rule.when.prompt !== undefined || rule.when.contains !== undefined) : null) ??
    goOn(rules, asked, memory) ??
    fresh((rule, index) => rule.when.tool_result === undefined && index > (callerOf(asked)?.index ?? -1))
  );
}

// The id of a tool call says which step of which rule made it: a conversation can be taken up again after a
// restart of this server, and a request that is sent twice gets the same step twice.
function callerOf(asked: Asked): { index: number; step: number } | null {
  const [, index, step] = /^toolu_r(\d+)s(\d+)n/.exec(asked.toolResults[0]?.id ?? '') ?? [];
  return index === undefined ? null : { index: Number(index), step: Number(step) };
}

function goOn(rules: readonly PracticeRule[], asked: Asked, memory: Memory): Choice | null {
  const caller = callerOf(asked);
  if (caller === null) return null;
  const { index } = caller;
  const step = caller.step + 1;
  const rule = rules[index];
  if (rule?.steps[step] === undefined) return null;
  const begun = { ...rule, when: { ...rule.when, tool_result: undefined } };
  for (let at = asked.prompts.length - 1; at >= 0; at -= 1) {
    const values = match(begun, asked, at, memory.number);
    if (values !== null) return { index, step, values };
  }
  return { index, step, values: {} };
}

function match({ when }: PracticeRule, asked: Asked, at: number, session: number): Record<string, string> | null {
  const prompt = asked.prompts[at]?.text ?? '';
  if (when.contains !== undefined && !prompt.includes(when.contains)) return null;
  if (when.turn !== undefined && when.turn !== at + 1) return null;
  if (when.session !== undefined && when.session !== session) return null;
  const results = asked.toolResults.map(({ text }) => text).join('\n');
  const searched = [
    [when.system, asked.system],
    [when.agent, asked.agent],
    [when.prompt, prompt],
    [when.tool_result, results],
  ] as const;
  const values: Record<string, string> = { prompt };
  for (const [pattern, text] of searched) {
    if (pattern === undefined) continue;
    const found = new RegExp(pattern, 'm').exec(text);
    if (found === null) return null;
    Object.assign(values, groupsOf(found));
  }
  return values;
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

function toolUses(step: PracticeStep, values: Values, asked: Asked, idStart: string): ToolUse[] {
  const everything = [asked.system, ...asked.prompts.map(({ text }) => text)].join('\n');
  const inputs = step.tools.flatMap(({ name, input, each, from }) => {
    if (each === undefined) return [{ name, input: fillJson(input, values) }];
    const searched = from === 'all' ? everything : String(values.prompt);
    const found = new Map([...searched.matchAll(new RegExp(each, 'gm'))].map(match => [match[0], match]));
    return [...found.values()].map(match => ({ name, input: fillJson(input, { ...values, ...groupsOf(match) }) }));
  });
  return inputs.map(({ name, input }, n) => ({ id: `${idStart}x${n}`, name, input: input as ToolUse['input'] }));
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
