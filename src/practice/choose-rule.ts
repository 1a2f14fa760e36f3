// Which step of which rule answers a request. Pure.

import type { PracticeRule, PracticeScript } from '../protocol/practice.ts';
import { fillNumber, groupsOf } from './fill-text.ts';
import type { Asked } from './read-asked.ts';

// fired: how often each rule has answered in this session.
export type Memory = { number: number; requests: number; fired: Readonly<Record<number, number>> };
export type Choice = { index: number; step: number; values: Record<string, string> };

export function chooseRule({ rules, vars }: PracticeScript, asked: Asked, memory: Memory): Choice | null {
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
  const isNews = asked.kind === 'prompt' && asked.prompts.at(-1)?.isMidTurn === true;
  // A prompt after an interruption comes together with the result of the tool that was interrupted.
  const isFresh = asked.toolResults.length === 0 || (asked.kind === 'prompt' && !isNews);
  if (isFresh) return fresh(rule => rule.when.tool_result === undefined);
  // Something typed during a turn changes its course only where a rule speaks of it; else the work goes on.
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
  const heard = heardBefore(rule, asked);
  for (let at = asked.prompts.length - 1; at >= 0; at -= 1) {
    const values = match(begun, asked, at, memory.number);
    if (values !== null) return { index, step, values: { ...values, ...heard } };
  }
  return { index, step, values: heard };
}

// The tool result that a rule began with still counts in its later steps.
function heardBefore({ when }: PracticeRule, { pastResults }: Asked): Record<string, string> {
  if (when.tool_result === undefined) return {};
  const pattern = new RegExp(when.tool_result, 'm');
  for (const text of pastResults.toReversed()) {
    const found = pattern.exec(text);
    if (found !== null) return groupsOf(found);
  }
  return {};
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
