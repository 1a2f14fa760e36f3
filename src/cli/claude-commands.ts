// The part of the table that is about Claude Code: what its panes show, and what it can be tried with.

import type { CommandSpec } from './command-spec.ts';
import { json } from './shared-specs.ts';

export const claudeCommands: readonly CommandSpec[] = [
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
