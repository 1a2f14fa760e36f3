// The part of the table that is about the watchdog and the panes it is given.

import type { CommandSpec } from './command-spec.ts';
import { settingOptions } from './setting-options.ts';
import { json } from './shared-specs.ts';

const pane = { name: 'pane', optional: true, words: [] } as const;
const socket = {
  summary: "the tmux server's socket (default: of the tmux you are in)",
  value: 'S',
  words: 'file',
} as const;

export const watchdogCommands: readonly CommandSpec[] = [
  {
    name: 'watchdog',
    summary: 'the process that hands full sessions over',
    positionals: [{ name: 'run|start|stop|status', words: ['run', 'start', 'stop', 'status'] }],
    options: { json },
    details:
      'run: in the foreground. start: in the background, unless one runs. stop: ends it; a handoff under way goes on at the next start. status: its health and every pane it watches. There is one for each user. An engine with Claude Code agents starts it by itself, unless BATON_WATCHDOG is off.',
    examples: ['baton watchdog start', 'baton watchdog status --json'],
    load: () => import('./command/watchdog.ts'),
  },
  {
    name: 'adopt',
    summary: 'let the watchdog hand over a Claude Code of your own tmux',
    positionals: [pane],
    options: {
      role: { summary: 'agent or orchestrator (default: agent)', value: 'ROLE', words: ['agent', 'orchestrator'] },
      socket,
      'no-hooks': { summary: 'change no file of the project: read screen and transcript' },
      yes: { summary: 'do not ask', short: 'y' },
      ...settingOptions,
    },
    details:
      'Alone: the pane it is run in; else %N. Puts marked hooks and a status line into .claude/settings.local.json of the project, after asking; `baton release` takes them out. Your own status line stays below it. A running session takes them up within seconds. Adopting is what allows Baton to type into a pane of your tmux.',
    examples: ['baton adopt', 'baton adopt %7 --yes', 'baton adopt %2 --role orchestrator'],
    load: () => import('./command/adopt.ts'),
  },
  {
    name: 'release',
    summary: 'take an adopted pane back from the watchdog',
    positionals: [pane],
    options: { socket },
    details:
      'The settings.local.json of the project becomes what it was, byte for byte; where somebody changed it meanwhile, only what is of Baton goes. Works for panes that are gone, too.',
    examples: ['baton release', 'baton release %7'],
    load: () => import('./command/release.ts'),
  },
];
