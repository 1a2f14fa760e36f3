// The part of the table that tells of executions: what came of them, what they will do, what they cost and changed.

import type { CommandSpec } from './command-spec.ts';
import { AGENT, agent, allowRoot, EXECUTION, execution, json, ofExecution } from './shared-specs.ts';

export const pageCommands: readonly CommandSpec[] = [
  {
    name: 'report',
    summary: 'show an execution as a readable page',
    positionals: [
      { ...execution, optional: true },
      { name: 'file', optional: true, words: 'file' },
    ],
    options: {
      html: { summary: 'one HTML file with timeline, graph and context curves as pictures' },
      json,
    },
    details: `Markdown, laid out on a terminal, or written to <file>. With --html: one file that needs nothing else and runs no script (default: report.html in the workspace; - is stdout). --json: the report as it is. Works while it runs, too, and says what is not known. Without a name: the newest that runs, else the newest. ${EXECUTION}`,
    examples: [
      'baton report',
      'baton report exec-20251030-001 --html',
      'baton report exec-20251030-001 page.html --html',
    ],
    load: () => import('./command/report.ts'),
  },
  {
    name: 'explain',
    summary: 'show what a request would do: graph, order, what would be refused',
    positionals: [{ name: 'execution|request', words: 'file' }],
    options: { 'allow-root': allowRoot, json },
    details: `Waves, who waits for whom, how many run at once, where inputs come from, which outputs meet in the merge. A request file is checked as \`baton run\` would; exit code 2 when it would be refused. Starts nothing. ${EXECUTION}`,
    examples: ['baton explain execution_request.json', 'baton explain exec-20251030-001 --json'],
    load: () => import('./command/explain.ts'),
  },
  {
    name: 'cost',
    summary: 'show what was spent: by execution, agent, day and chain',
    positionals: [{ ...execution, optional: true }],
    options: {
      by: { summary: 'only this part', value: 'PART', words: ['execution', 'agent', 'day', 'chain'] },
      json,
    },
    details: `As Claude Code told it; nothing is guessed. What nobody told is unknown, and a sum says how many of its parts are. A chain is all sessions one agent of one execution needed: attempts, handoffs, continuations. Without a name: all executions that \`baton list\` shows. ${EXECUTION}`,
    examples: ['baton cost', 'baton cost exec-20251030-001 --by agent', 'baton cost --json'],
    load: () => import('./command/cost.ts'),
  },
  {
    name: 'diff',
    summary: 'show what an agent changed',
    positionals: [agent],
    options: {
      execution: ofExecution,
      attempt: { summary: 'an earlier attempt (default: the last)', value: 'N' },
      json,
    },
    details: `Repositories it works in, against the commit it began with; other outputs, against what stood there before, or the attempt before. Works while it runs. No pager; control sequences are taken out. --json: a summary without the text. ${AGENT}`,
    examples: ['baton diff code-generator', 'baton diff exec-20251030-001/code-generator --json'],
    load: () => import('./command/diff.ts'),
  },
];
