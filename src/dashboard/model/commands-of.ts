// Which command of the command line a key means for a row. Null with a reason: it means nothing there. Pure.

import type { Row } from './agent-row.ts';

export type Meant = { argv: readonly string[]; label: string } | { why: string };

const ofAgent = (row: Row, what: string): string | null =>
  row.execution === null ? `${what} is for agents of an execution; this is a pane of your own tmux` : null;

export function attach(row: Row, isReadOnly: boolean): Meant {
  if (row.pane === null) return { why: `${row.name} does not run; l shows what it wrote` };
  const where = row.execution === null ? [row.who, '--socket', row.socket] : [row.who];
  return { argv: ['attach', ...where, ...(isReadOnly ? ['--read-only'] : [])], label: 'attach' };
}

export function send(row: Row, text: string): Meant {
  const why = ofAgent(row, 'send');
  if (why !== null) return { why };
  // An agent that is just finishing a step is waited for a little, rather than refused.
  return { argv: ['send', row.who, '--wait', '20', '--', text], label: `send to ${row.name}` };
}

// "y" and "n" are the first and the last option that sound like it; a number is itself.
export function answer(row: Row, key: string): Meant {
  const { question } = row;
  if (question === null) return { why: `${row.name} asks nothing` };
  const { options } = question;
  const option = /^\d$/.test(key)
    ? options.find(({ number }) => number === Number(key))
    : (options.find(({ label }) => new RegExp(`^${key === 'y' ? 'yes|^ok' : 'no'}\\b`, 'i').test(label)) ??
      (key === 'y' ? options.at(0) : options.at(-1)));
  if (option === undefined) return { why: `there is no option ${key}` };
  const digest = question.digest.slice(0, 16);
  return {
    argv: ['answer', row.who, String(option.number), '--question', digest],
    label: `answer ${option.number}. ${option.label}`,
  };
}

export function handoff(row: Row): Meant {
  if (!row.isClaude || row.pane === null) return { why: `${row.name} is no running Claude Code session` };
  const where = row.execution === null ? [row.who, '--socket', row.socket] : [row.who];
  return { argv: ['handoff', ...where], label: `hand ${row.name} off` };
}

export function hold(row: Row): Meant {
  const why = ofAgent(row, 'hold');
  if (why !== null) return { why };
  return row.heldBy === null
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
