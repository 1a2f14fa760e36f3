// The part of the table that is about Claude Code: talking to its agents, what its panes show, and what it can
// be tried with.

import type { CommandSpec } from './command-spec.ts';
import { AGENT, agent, json, ofExecution } from './shared-specs.ts';

const pane = { name: 'agent|pane', words: 'agent' } as const;

export const claudeCommands: readonly CommandSpec[] = [
  {
    name: 'send',
    summary: 'say something to a Claude Code agent, with a receipt',
    positionals: [agent, { name: 'text', optional: true, words: [] }],
    options: {
      file: { summary: 'the text is in this file; - is stdin', value: 'F', words: 'file' },
      wait: { summary: 'wait this long for a pane that is busy (default: refuse)', value: 'SECONDS' },
      slash: { summary: 'the text may begin with / ! or #, which Claude Code obeys' },
      execution: ofExecution,
      json,
    },
    details: `Sent only into an empty input box, never into a dialog or somebody's draft. Exit code 0: the session gave this very text back and its turn began; 6: nothing was sent, and why; 4: no receipt came. While a --wait waits, the engine of the agent says nothing of its own there. ${AGENT}`,
    examples: ['baton send code-generator "Please use tabs." --wait 60', 'baton send code-generator --file notes.md'],
    load: () => import('./command/send.ts'),
  },
  {
    name: 'prompts',
    summary: 'show what agents ask just now, and how to answer',
    positionals: [],
    options: { json },
    details: 'Permissions, questions and plans of all running executions, the oldest first.',
    examples: ['baton prompts'],
    load: () => import('./command/prompts.ts'),
  },
  {
    name: 'answer',
    summary: 'choose an option of what an agent asks',
    positionals: [agent, { name: 'option', words: [] }],
    options: {
      question: { summary: 'the question meant, as `baton prompts` shows it', value: 'ID' },
      execution: ofExecution,
      json,
    },
    details: `<option> is its number or the beginning of its label. Refused (6) when the screen shows another question by now. ${AGENT}`,
    examples: ['baton answer code-generator 1', 'baton answer code-generator no'],
    load: () => import('./command/answer.ts'),
  },
  {
    name: 'hold',
    summary: 'take control of an agent: Baton sends nothing there',
    positionals: [pane],
    options: { execution: ofExecution, json },
    details: `No prompt, nudge, handoff or answer until \`baton unhold\`; type in \`baton attach\`. Time limits go on. A pane is %N of Baton's own tmux server. ${AGENT}`,
    examples: ['baton hold code-generator', 'baton hold %3'],
    load: () => import('./command/hold.ts'),
  },
  {
    name: 'unhold',
    summary: 'give a held agent back to Baton',
    positionals: [pane],
    options: { execution: ofExecution, json },
    details: `Its engine looks at its work anew and goes on. ${AGENT}`,
    examples: ['baton unhold code-generator'],
    load: () => import('./command/unhold.ts'),
  },
  {
    name: 'screen',
    summary: 'say what Baton reads on the screen of a Claude Code pane',
    positionals: [{ name: 'pane', optional: true, words: [] }],
    options: {
      file: { summary: 'read this capture (tmux capture-pane -p -e) instead', value: 'F', words: 'file' },
      socket: { summary: "the tmux server's socket (default: Baton's own)", value: 'S', words: 'file' },
      json,
    },
    details:
      'State, whether it is safe to type, draft, placeholder, context and error. Nothing is typed. Attach the capture and this answer to a bug report.',
    examples: ['baton screen %3 --json', 'baton screen --file capture.txt'],
    load: () => import('./command/screen.ts'),
  },
  {
    name: 'practice',
    summary: 'run a model that is only a script, to try Claude Code with',
    positionals: [],
    options: {
      script: { summary: 'a script by name or file (default: agent)', value: 'NAME|FILE', words: 'file' },
      set: { summary: 'give a variable of the script another value (repeatable)', value: 'NAME=VALUE', multiple: true },
      port: { summary: 'the port on 127.0.0.1 (default: any free one)', value: 'N' },
    },
    details:
      'Prints the environment that lets the real Claude Code talk to it: no account, no cost, and no model either. The scripts and how to write one: docs/practice.md. Ctrl-C ends it.',
    examples: ['baton practice', 'baton practice --script grower --set step=30000 --port 8787'],
    load: () => import('./command/practice.ts'),
  },
];
