// Which command of the command line a key means for a row. Null with a reason: it means nothing there. Pure.

import type { Row } from './agent-row.ts';

export type Meant = { argv: readonly string[]; label: string } | { why: string };

const ofAgent = (row: Row, what: string): string | null =>
  row.execution === null ? `${what} is for agents of an execution; this is a pane of your own tmux` : null;

// A pane may be named long after its agent has ended.
export const isLive = (row: Row): boolean =>
  row.pane !== null && (row.rank === 'runs' || row.rank === 'needs') && row.endedAt === null;

export const reportArgv = (execution: string): string[] => ['report', execution, '--laid-out'];

export function attach(row: Row, isReadOnly: boolean): Meant {
  if (!isLive(row)) return { why: `${row.name} does not run; l shows what it wrote` };
  const where = row.execution === null ? [row.who, '--socket', row.socket] : [row.who];
  return { argv: ['attach', ...where, '--quiet', ...(isReadOnly ? ['--read-only'] : [])], label: 'attach' };
}

export function send(row: Row, text: string): Meant {
  const why = ofAgent(row, 'send');
  if (why !== null) return { why };
  if (!row.isClaude) return { why: `nothing can be sent to ${row.name}: it is no Claude Code session` };
  if (!isLive(row)) return { why: `${row.name} does not run: nothing can be sent to it` };
  // An agent that is just finishing a step is waited for a little, rather than refused.
  return { argv: ['send', row.who, '--wait', '20', '--', text], label: `send to ${row.name}` };
}

// A number is itself. "y" and "n" are the one option that says just that, or the only one that begins with it: "Yes,
// and never ask again" is more than a yes, and nobody guesses which of two is meant.
export function answer(row: Row, key: string): Meant {
  const { question } = row;
  if (question === null) return { why: `${row.name} asks nothing` };
  const { options } = question;
  const numbers = options.map(({ number }) => number).join(' ');
  const isNumber = /^\d$/.test(key);
  const option = isNumber ? options.find(({ number }) => number === Number(key)) : saying(key, options);
  if (option === undefined && !isNumber)
    return { why: `no single option says just ${key === 'y' ? 'yes' : 'no'}: choose a number (${numbers})` };
  if (option === undefined) return { why: `there is no option ${key}: choose a number (${numbers})` };
  const digest = question.digest.slice(0, 16);
  return {
    argv: ['answer', row.who, String(option.number), '--question', digest],
    label: `answer ${option.number}. ${option.label}`,
  };
}

type Option = NonNullable<Row['question']>['options'][number];

function saying(key: string, options: readonly Option[]): Option | undefined {
  const word = key === 'y' ? '(?:yes|ok)' : 'no';
  for (const pattern of [`^${word}[.!]?$`, `^${word}\\b`]) {
    const found = options.filter(({ label }) => new RegExp(pattern, 'i').test(label.trim()));
    if (found.length === 1) return found[0];
  }
  return undefined;
}

export function handoff(row: Row): Meant {
  if (!row.isClaude || !isLive(row)) return { why: `${row.name} is no running Claude Code session` };
  const where = row.execution === null ? [row.who, '--socket', row.socket] : [row.who];
  return { argv: ['handoff', ...where], label: `hand ${row.name} off` };
}

export function hold(row: Row, isHeld: boolean): Meant {
  const why = ofAgent(row, 'hold');
  if (why !== null) return { why };
  if (!isLive(row)) return { why: `${row.name} does not run: there is nothing to hold` };
  return !isHeld
    ? { argv: ['hold', row.who], label: `hold ${row.name}` }
    : { argv: ['unhold', row.who], label: `release ${row.name}` };
}

export function retry(row: Row): Meant {
  const why = ofAgent(row, 'retry');
  return why === null ? { argv: ['retry', row.execution!, row.name, '--quiet'], label: `retry ${row.name}` } : { why };
}

export function cancel(row: Row): Meant {
  const why = ofAgent(row, 'cancel');
  return why === null ? { argv: ['cancel', row.execution!, '--quiet'], label: `cancel ${row.execution}` } : { why };
}

export function pause(row: Row): Meant {
  const why = ofAgent(row, 'pause');
  if (why !== null) return { why };
  const word = row.isPaused ? 'unpause' : 'pause';
  return { argv: [word, row.execution!], label: `${word} ${row.execution}` };
}

// Of the project it works in; its own document, where it has one.
export function archive(row: Row): Meant {
  if (row.handoff !== null) return { why: `a handoff of ${row.name} writes that document just now` };
  const where = row.execution === null ? [row.who, '--socket', row.socket] : [row.who];
  return { argv: ['archive', '--agent', ...where], label: `archive the handoff document of ${row.name}` };
}

export function resume(row: Row): Meant {
  const why = ofAgent(row, 'resume');
  return why === null ? { argv: ['resume', row.execution!, '--quiet'], label: `resume ${row.execution}` } : { why };
}
