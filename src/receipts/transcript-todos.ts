// What a session had on its list, as its own tools wrote it: the whole list at once (TodoWrite), or one task after
// the other (TaskCreate, TaskUpdate). A call that failed put nothing on it. Pure.

import type { TranscriptRecord } from './transcript-facts.ts';

export type Todo = { text: string; status: string };

type Block = Record<string, unknown>;
type Call = { name: string; input: Block; result: Block | null };

export function todosOf(records: readonly TranscriptRecord[]): Todo[] {
  let list: Todo[] = [];
  const tasks = new Map<string, Todo>();
  for (const { name, input, result } of callsOf(records)) {
    if (result?.is_error === true) continue;
    if (name === 'TodoWrite' && Array.isArray(input.todos))
      list = input.todos.filter(isObject).map(todo => ({ text: textOf(todo.content), status: textOf(todo.status) }));
    if (name === 'TaskCreate') {
      // Its answer tells the number; they are given in order.
      const id = /#(\d+)/.exec(JSON.stringify(result?.content ?? ''))?.[1] ?? String(tasks.size + 1);
      tasks.set(id, { text: textOf(input.subject), status: 'pending' });
    }
    const known = name === 'TaskUpdate' ? tasks.get(textOf(input.taskId)) : undefined;
    if (known !== undefined && typeof input.status === 'string') known.status = input.status;
    if (known !== undefined && typeof input.subject === 'string') known.text = input.subject;
  }
  const left = [...tasks.values()].filter(({ status }) => status !== 'deleted');
  return [...list, ...left].filter(({ text }) => text !== '');
}

function callsOf(records: readonly TranscriptRecord[]): Call[] {
  const results = new Map<unknown, Block>();
  const blocks = records.filter(({ isSidechain }) => isSidechain !== true).flatMap(blocksOf);
  for (const block of blocks) if (block.type === 'tool_result') results.set(block.tool_use_id, block);
  return blocks.flatMap(block =>
    block.type === 'tool_use' && typeof block.name === 'string' && isObject(block.input)
      ? [{ name: block.name, input: block.input, result: results.get(block.id) ?? null }]
      : [],
  );
}

function blocksOf({ type, message }: TranscriptRecord): Block[] {
  if ((type !== 'assistant' && type !== 'user') || !isObject(message) || !Array.isArray(message.content)) return [];
  return message.content.filter(isObject);
}

const isObject = (value: unknown): value is Block => typeof value === 'object' && value !== null;
const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';
