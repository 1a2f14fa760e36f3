// The open questions of agents as lines for a person, and the choice a person made among their options. Pure.

import { plainText } from '../files/plain-text.ts';
import { Fault } from '../protocol/fault.ts';
import type { Question, Status } from '../protocol/status.ts';
import { cellWidth } from '../text/cell-width.ts';
import type { Paint } from '../text/paint.ts';
import { spanText } from '../text/span-text.ts';

export type OpenPrompt = Question & {
  execution_id: string;
  agent_name: string;
  pane: string | null;
  held_by: string | null;
  answer: string; // the command, up to the option
};

const DIGEST_SHOWN = 8;
const kinds: Record<Question['kind'], string> = {
  permission: 'asks for a permission',
  question: 'asks a question',
  plan: 'asks about its plan',
};

export function openPrompts(status: Status): OpenPrompt[] {
  return status.agents.flatMap(({ agent_name, pane, claude }) => {
    if (claude?.question == null) return [];
    const who = `${status.execution_id}/${agent_name}`;
    const answer = `baton answer ${who} --question ${claude.question.digest.slice(0, DIGEST_SHOWN)}`;
    return [
      { execution_id: status.execution_id, agent_name, pane, held_by: claude.held_by, answer, ...claude.question },
    ];
  });
}

export function promptLines(
  prompts: readonly OpenPrompt[],
  { now, width, paint }: { now: number; width: number; paint: Paint },
): string[] {
  return prompts.flatMap((prompt, index) => {
    const who = `${prompt.execution_id}/${prompt.agent_name}`;
    // Wrapped, never cut: what is approved must be seen whole.
    const rows = (start: string, text: string, next = ' '.repeat(start.length)) =>
      wrapCells(plainText(text), width - start.length).map((part, at) => (at === 0 ? start : next) + part);
    const asked = plainText(prompt.title, { keepNewlines: true }).split('\n');
    return [
      ...(index === 0 ? [] : ['']),
      `${paint('bold', who)} ${paint('yellow', kinds[prompt.kind])}, for ${spanText(now - Date.parse(prompt.asked_at))}`,
      ...(prompt.held_by === null ? [] : rows('  ', `held by ${prompt.held_by}: \`baton unhold ${who}\` first`)),
      ...asked.flatMap(line => rows('  │ ', line, '  │ ')),
      ...prompt.options.flatMap(({ number, label }) => rows(`  ${number}. `, label)),
      `  ${paint('dim', 'answer:')} ${prompt.answer} OPTION`,
    ];
  });
}

// A number, a whole label, or the beginning of exactly one.
export function chooseOption(question: Question, wanted: string): Question['options'][number] {
  const { options } = question;
  const there = options.map(({ number, label }) => `${number}. ${plainText(label, { max: 50 })}`).join('; ');
  if (/^\d+$/.test(wanted)) {
    const found = options.find(({ number }) => number === Number(wanted));
    if (found) return found;
    throw new Fault('invalid', `there is no option ${wanted}`, `there are: ${there}`);
  }
  const small = (text: string) => text.trim().toLowerCase();
  const same = options.filter(({ label }) => small(label) === small(wanted));
  const fitting =
    same.length > 0 || small(wanted) === ''
      ? same
      : options.filter(({ label }) => small(label).startsWith(small(wanted)));
  if (fitting.length === 1) return fitting[0]!;
  const many = fitting.map(({ number }) => number).join(', ');
  const message = fitting.length === 0 ? `no option begins with "${wanted}"` : `"${wanted}" fits the options ${many}`;
  throw new Fault('invalid', message, `there are: ${there}`);
}

// Between characters: a path or a command has no better place.
function wrapCells(text: string, width: number): string[] {
  const lines = [''];
  for (const char of text) {
    const line = lines.at(-1)!;
    if (line !== '' && cellWidth(line + char) > width) lines.push(char);
    else lines[lines.length - 1] = line + char;
  }
  return lines;
}
