// The words between sessions: the rule an agent is told at the start, the question when its context is full,
// and the first prompt of the session that goes on. Pure text.

import type { Handoff } from './parse-handoff.ts';

// Long enough for any honest handoff; a longer one would fill the context it is meant to save.
const MAX_HANDOFF = 24_000;
const MAX_TAIL = 6000;

export const handoffRule = [
  'This session may end before your task does: its context and its turns are limited, and a fresh session',
  'without any memory of this one then goes on. When you are asked for a handoff, or see that the turns will',
  'not suffice, write a section that begins with the line `## HANDOFF` and says what is done, what is left, what',
  'you decided and why, and which files matter. When the whole task is finished, end with the line',
  '`HANDOFF: COMPLETE`.',
].join('\n');

export const handoffQuestion = [
  'The context of this session is full. Start nothing new and call no more tools. Answer now with a section that',
  'begins with the line `## HANDOFF`: what is done, what is left, what you decided and why, which files matter.',
  'A fresh session without memory of this one goes on from it alone. If the whole task is finished, end with the',
  'line `HANDOFF: COMPLETE` instead.',
].join('\n');

export type ContinuationPrompt = {
  task: string;
  handoff: Handoff | null;
  output: string; // what the session that ended wrote
  because: 'context_full' | 'max_turns';
  number: number; // 1 for the first continuation
  most: number;
};

export function buildContinuationPrompt(from: ContinuationPrompt): string {
  const why = from.because === 'context_full' ? 'its context was full' : 'its turns ran out';
  const head = [
    `You go on with a task that an earlier session could not finish: ${why}.`,
    `This is continuation ${from.number} of at most ${from.most}. You have no memory of that session; its files are on the disk.`,
    'Look at what is there before you change anything, and do not repeat what is done.',
  ];
  return [head.join('\n'), section('The task', from.task), whatIsKnown(from)].join('\n\n');
}

function whatIsKnown({ handoff, output }: ContinuationPrompt): string {
  const body = handoff?.body ?? '';
  if (body !== '') return section('What the earlier session handed over', cut(body, MAX_HANDOFF, 'end'));
  const tail = cut(output.trim(), MAX_TAIL, 'start');
  if (tail === '') return 'The earlier session left no handoff and no output.';
  return section('The earlier session left no handoff. The end of what it wrote', tail);
}

// Tags, not headings: what an agent wrote may hold headings of its own.
const section = (title: string, text: string): string => `${title}:\n<text>\n${text}\n</text>`;

function cut(text: string, max: number, at: 'start' | 'end'): string {
  if (text.length <= max) return text;
  const left = text.length - max;
  const kept = (at === 'end' ? text.slice(0, max) : text.slice(-max)).toWellFormed();
  const note = `[${left} characters left out]`;
  return at === 'end' ? `${kept}\n${note}` : `${note}\n${kept}`;
}
