// The part of the table that tells of executions: what came of them, what they will do, what they cost and changed.

import type { CommandSpec } from './command-spec.ts';
import { EXECUTION, execution, json } from './shared-specs.ts';

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
];
