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
      'laid-out': { summary: 'as on a terminal of COLUMNS columns, also into a pipe' },
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
  {
    name: 'new',
    summary: 'write a request, or an agent, to begin with',
    positionals: [
      { name: 'request|agent', words: ['request', 'agent'] },
      { name: 'file|name', optional: true, words: 'file' },
    ],
    options: {
      agent: {
        summary: 'an agent and its task (repeatable); without any, it asks',
        value: 'NAME=TASK',
        multiple: true,
      },
      needs: { summary: 'who must be done before it (repeatable)', value: 'NAME=A,B', multiple: true },
      output: { summary: 'what it makes (default: outputs/NAME.md)', value: 'NAME=FILE', multiple: true },
      path: { summary: 'its folder (default: agents/NAME)', value: 'NAME=DIR', multiple: true },
      id: { summary: 'name of the execution (default: the time)', value: 'ID' },
      workspace: { summary: 'its folder, beside the request (default: its name)', value: 'DIR', words: 'folder' },
      provider: {
        summary: 'what new agents are (default: claude)',
        value: 'PROVIDER',
        words: ['claude', 'claude-headless', 'command'],
      },
      force: { summary: 'write over a request that is there' },
      json,
    },
    details:
      'request: asks a few questions, or takes --agent, checks the whole as `baton run` would, and only then writes execution_request.json (or the named file). Agent folders that are missing are made; what is there is never touched. agent NAME: makes agents/NAME with agent.json and AGENT.md.',
    examples: [
      'baton new request',
      'baton new request --agent "plan=Plan it." --agent "build=Build it." --needs build=plan',
      'baton new agent code-generator',
    ],
    load: () => import('./command/new.ts'),
  },
];
