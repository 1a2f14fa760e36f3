// The stream as people read it in the pane and in stdout.log. Pure; text of agents is stripped of control
// sequences, long results are cut (the raw file has them whole).

import { plainText } from '../files/plain-text.ts';
import type { StreamEvent } from './read-stream.ts';

const MAX_RESULT_LINES = 6;
const MAX_LINE = 400;

export function renderEvent(event: StreamEvent): string[] {
  switch (event.kind) {
    case 'said':
      return event.blocks.flatMap(block =>
        block.type === 'text'
          ? mark(event.isReal ? '●' : '!', block.text, event.isOwn)
          : [`${indent(event.isOwn)}→ ${oneLine(block.name)} ${oneLine(inputWords(block.input))}`.trimEnd()],
      );
    case 'tool_result':
      return renderResult(event.text, event.isError, event.isOwn);
    case 'compacting':
      return ['! the context is full'];
    case 'compacted':
      return ['! the context was compacted'];
    case 'denied':
      return [`! permission denied: ${oneLine(event.tool)}: ${oneLine(event.message)}`];
    case 'retry':
      return [`! API ${event.status ?? ''} ${oneLine(event.error)}: retry ${event.attempt} of ${event.most}`];
    default:
      return [];
  }
}

// What a tool is told, in a few words: the one field people know it by, else all of it.
export function inputWords(input: unknown): string {
  if (typeof input !== 'object' || input === null) return typeof input === 'string' ? input : '';
  const fields = input as Record<string, unknown>;
  for (const name of ['command', 'file_path', 'path', 'pattern', 'url', 'query', 'description', 'prompt']) {
    if (typeof fields[name] === 'string') return fields[name];
  }
  return JSON.stringify(input);
}

const indent = (isOwn: boolean): string => (isOwn ? '' : '    ');

const oneLine = (text: string): string => plainText(text, { max: MAX_LINE });

function mark(sign: string, text: string, isOwn: boolean): string[] {
  const lines = plainText(text, { keepNewlines: true }).trimEnd().split('\n');
  return lines.map((line, at) => `${indent(isOwn)}${at === 0 ? `${sign} ` : '  '}${line}`.trimEnd());
}

function renderResult(text: string, isError: boolean, isOwn: boolean): string[] {
  const lines = plainText(text, { keepNewlines: true }).trimEnd().split('\n');
  const shown = lines.slice(0, MAX_RESULT_LINES).map(line => plainText(line, { max: MAX_LINE }));
  const more = lines.length - shown.length;
  const all = [...shown, ...(more > 0 ? [`… ${more} more lines`] : [])];
  return all.map((line, at) => `${indent(isOwn)}  ${at === 0 ? (isError ? '✗' : '↳') : ' '} ${line}`.trimEnd());
}
