// The tool calls of one step, with the words of the request filled in. Pure.

import type { PracticeStep, PracticeTool } from '../protocol/practice.ts';
import { fillJson, fillText, groupsOf, type Values } from './fill-text.ts';
import type { Asked } from './read-asked.ts';

export type ToolUse = { id: string; name: string; input: Record<string, unknown> };

export function toolUses(step: PracticeStep, values: Values, asked: Asked, idStart: string): ToolUse[] {
  const calls = step.tools.flatMap(tool => toolCalls(tool, values, asked));
  return calls.map(({ name, input }, n) => ({ id: `${idStart}x${n}`, name, input: input as ToolUse['input'] }));
}

function toolCalls({ name, input, each, from, lists }: PracticeTool, values: Values, asked: Asked) {
  const everything = [asked.system, ...asked.prompts.map(({ text }) => text)].join('\n');
  const find = (pattern: string) => findEach(pattern, from === 'all' ? everything : String(values.prompt));
  const joined = Object.entries(lists).map(([list, { each: of, item }]) => {
    const items = find(of).map(groups => fillText(item, { ...values, ...groups }));
    return [list, items.join(',')] as const;
  });
  const known = { ...values, ...Object.fromEntries(joined) };
  const matches = each === undefined ? [{}] : find(each);
  return matches.map(groups => ({ name, input: fillJson(input, { ...known, ...groups }) }));
}

// What is said twice (in the contract and in a reminder of it) is one thing to do.
function findEach(pattern: string, text: string): Record<string, string>[] {
  const found = [...text.matchAll(new RegExp(pattern, 'gm'))];
  return [...new Map(found.map(match => [match[0].trim(), groupsOf(match)])).values()];
}
