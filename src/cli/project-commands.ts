// The part of the table that is about a project and its handoff document.

import type { CommandSpec } from './command-spec.ts';
import { settingOptions } from './setting-options.ts';
import { json, ofExecution } from './shared-specs.ts';

const dir = { name: 'dir', optional: true, words: 'folder' } as const;
const inFolder = { summary: 'the folder of the project (default: this one)', value: 'DIR', words: 'folder' } as const;

export const projectCommands: readonly CommandSpec[] = [
  {
    name: 'init',
    summary: 'make a project ready for handoffs',
    positionals: [dir],
    options: {
      'dry-run': { summary: 'only say what would be done', short: 'n' },
      remove: { summary: 'take out what it put there and nobody changed' },
      json,
    },
    details:
      'Writes docs/HANDOFF-template.md, docs/HANDOFF.md, docs/HANDOFF-archive/, a marked section in CLAUDE.md and a skill for Claude Code. Text that is there already is never overwritten; run again, it changes nothing. What you filled or changed stays at --remove.',
    examples: ['baton init', 'baton init --dry-run', 'baton init ../shop --remove'],
    load: () => import('./command/init.ts'),
  },
  {
    name: 'config',
    summary: 'show every setting of handoffs and where it came from',
    positionals: [dir],
    options: {
      agent: { summary: 'as it is in force for this agent', value: 'NAME', words: 'agent' },
      window: { summary: 'size of the context window, to check thresholds against', value: 'TOKENS' },
      ...settingOptions,
      json,
    },
    details:
      'Flags win over variables (BATON_CONTEXT_THRESHOLD and so on), these over baton.json of the project, its part for one agent over the rest of it, and that over the defaults. Warns when Claude Code would compact a conversation before its handoff.',
    examples: ['baton config', 'baton config --agent code-generator --window 200000', 'baton config --json'],
    load: () => import('./command/config.ts'),
  },
  {
    name: 'archive',
    summary: 'put the handoff document into the archive and begin a fresh one',
    positionals: [
      { name: 'list|show|diff|restore', optional: true, words: ['list', 'show', 'diff', 'restore'] },
      { name: 'name', optional: true, words: [] },
      { name: 'other', optional: true, words: [] },
    ],
    options: {
      dir: inFolder,
      agent: {
        summary: 'of this agent, or of the project an adopted pane %N works in',
        value: 'AGENT',
        words: 'agent',
      },
      socket: { summary: 'the tmux server of the pane, where several are watched', value: 'S', words: 'file' },
      json,
    },
    details:
      'Alone: moves the document to the archive under its time (UTC), begins a fresh one from the template, and commits both. list: all, newest first. show <name>, diff <name> <other>: "current" is the present document. restore <name>: archives the present document, brings the named one back and commits. History is never rewritten.',
    examples: [
      'baton archive',
      'baton archive list',
      'baton archive --agent exec-20251030-001/backend',
      'baton archive diff HANDOFF-2025-01-20-1430 current',
      'baton archive restore HANDOFF-2025-01-20-1430',
    ],
    load: () => import('./command/archive.ts'),
  },
  {
    name: 'handoff',
    summary: 'hand a session over now, or show the document',
    positionals: [{ name: 'show|self|agent|pane', words: 'agent' }],
    options: {
      dir: inFolder,
      agent: { summary: 'the document of this agent, where it has its own', value: 'NAME', words: 'agent' },
      reason: { summary: 'manual, context threshold or error recovery (default: manual)', value: 'REASON', words: [] },
      execution: ofExecution,
      socket: { summary: 'the tmux server of the pane, where several are watched', value: 'S', words: 'file' },
      json,
    },
    details:
      'show: the present document (--dir, --agent); on a terminal it is laid out for its width, piped it is the text itself. An agent, or %N of an adopted pane: the watchdog runs the whole cycle there now; self: in the pane this is run in. It ends when the handoff has begun.',
    examples: ['baton handoff show', 'baton handoff code-generator', 'baton handoff %7 --reason "error recovery"'],
    load: () => import('./command/handoff.ts'),
  },
];
