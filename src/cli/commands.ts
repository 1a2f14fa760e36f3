// The table of all commands. Help, completion, parsing and docs/using.md come from it; each command's
// code is loaded only when that command runs, because `baton --version` should cost no more than Node.

import { claudeCommands } from './claude-commands.ts';
import type { CommandSpec } from './command-spec.ts';
import { pageCommands } from './page-commands.ts';
import { projectCommands } from './project-commands.ts';
import { settingOptions } from './setting-options.ts';
import {
  AGENT,
  agent,
  allowRoot,
  EXECUTION,
  execution,
  following,
  json,
  ofExecution,
  request,
  trust,
} from './shared-specs.ts';
import { watchdogCommands } from './watchdog-commands.ts';

// Written out again: to ask protocol/describe.ts would load zod for every command. A test compares.
const schemas = ['request', 'report', 'status', 'ctxpack', 'agent', 'result', 'conflicts', 'event', 'config'] as const;

export const commands: readonly CommandSpec[] = [
  {
    name: 'dashboard',
    summary: 'see every agent at once, and step in with one key',
    positionals: [],
    options: {},
    details:
      'What `baton` alone opens on a terminal. Any number may be open; quitting one stops nothing. "?" shows all keys, docs/dashboard.md tells more. In pipes and logs use `baton status --watch`.',
    examples: ['baton', 'baton dashboard'],
    load: () => import('./command/dashboard.ts'),
  },
  {
    name: 'run',
    summary: 'run a request and wait for its report',
    positionals: [{ name: 'request', optional: true, words: 'file' }],
    options: {
      request,
      output: { summary: 'write a copy of the report here as well', value: 'FILE', short: 'o', words: 'file' },
      'allow-root': allowRoot,
      trust,
      again: { summary: 'run a finished workspace again; the old run is kept' },
      ...following,
      ...settingOptions,
    },
    details:
      'Ctrl-C cancels: agents are ended and the report is written. Ctrl-C again leaves at once; the agents go on in tmux and `baton resume` picks them up.',
    examples: ['baton run --request execution_request.json', 'baton run request.json --json > report.json'],
    load: () => import('./command/run.ts'),
  },
  {
    name: 'validate',
    summary: 'check a request (or a .ctxp file) and change nothing',
    positionals: [{ name: 'request', optional: true, words: 'file' }],
    options: {
      request,
      'allow-root': allowRoot,
      ctxpack: { summary: 'check this .ctxp file instead', value: 'FILE', words: 'file' },
      json,
    },
    details: 'Shows all problems at once, each with its place and its cure. Exit code 2 when there are any.',
    examples: ['baton validate execution_request.json', 'baton validate --ctxpack merged/integrated.ctxp'],
    load: () => import('./command/validate.ts'),
  },
  {
    name: 'resume',
    summary: 'go on with an execution whose engine has ended',
    positionals: [execution],
    options: { ...following },
    details: `Agents that went on in tmux are picked up, nothing is started twice. ${EXECUTION}`,
    examples: ['baton resume exec-20251030-001'],
    load: () => import('./command/resume.ts'),
  },
  {
    name: 'cancel',
    summary: 'end all agents of an execution; nothing is merged',
    positionals: [execution],
    options: { ...following },
    details: `Works also when the engine has ended but its agents go on. ${EXECUTION}`,
    examples: ['baton cancel exec-20251030-001'],
    load: () => import('./command/cancel.ts'),
  },
  {
    name: 'pause',
    summary: 'start no further agents; those that run go on',
    positionals: [execution],
    options: {},
    details: EXECUTION,
    examples: ['baton pause exec-20251030-001'],
    load: () => import('./command/pause.ts'),
  },
  {
    name: 'unpause',
    summary: 'start agents again after a pause',
    positionals: [execution],
    options: {},
    details: EXECUTION,
    examples: ['baton unpause exec-20251030-001'],
    load: () => import('./command/unpause.ts'),
  },
  {
    name: 'retry',
    summary: 'run an agent and its dependents again',
    positionals: [execution, agent],
    options: { ...following },
    details: `Earlier reports are kept, numbered. ${EXECUTION}`,
    examples: ['baton retry exec-20251030-001 code-reviewer'],
    load: () => import('./command/retry.ts'),
  },
  {
    name: 'status',
    summary: 'show how an execution stands',
    positionals: [{ ...execution, optional: true }],
    options: { json, watch: { summary: 'go on and print a line whenever something changed', short: 'w' } },
    details: `Without a name: the newest that runs, else the newest. ${EXECUTION}`,
    examples: ['baton status', 'baton status exec-20251030-001 --watch'],
    load: () => import('./command/status.ts'),
  },
  {
    name: 'list',
    summary: 'list all executions, newest first',
    positionals: [],
    options: {
      json,
      ids: { summary: 'only the ids, one a line' },
      agents: { summary: 'only the names of agents, one a line' },
    },
    details: 'An execution is listed once it was started on this machine by this user.',
    examples: ['baton list', 'baton list --ids'],
    load: () => import('./command/list.ts'),
  },
  {
    name: 'logs',
    summary: 'print what an agent wrote',
    positionals: [agent],
    options: {
      execution: ofExecution,
      follow: { summary: 'go on until the attempt ends', short: 'f' },
      stderr: { summary: 'its stderr instead of its stdout' },
      attempt: { summary: 'an earlier attempt (default: the last)', value: 'N' },
    },
    details: `Control sequences are taken out. ${AGENT}`,
    examples: ['baton logs code-generator -f', 'baton logs exec-20251030-001/code-generator --stderr --attempt 1'],
    load: () => import('./command/logs.ts'),
  },
  {
    name: 'attach',
    summary: 'look into the tmux session of a running agent',
    positionals: [agent],
    options: {
      execution: ofExecution,
      'read-only': { summary: 'look only, type nothing', short: 'r' },
      socket: { summary: 'the tmux server of a pane of your own', value: 'S', words: 'file' },
    },
    details: `Works inside your own tmux too. Leave with Ctrl-Q, or the prefix key and "d". While you are attached the session has the size of your terminal; with --read-only it keeps its own, and a smaller terminal shows a part. %N is a pane of your own tmux. Prints the plain tmux command when stdout is not a terminal. ${AGENT}`,
    examples: ['baton attach code-generator -r'],
    load: () => import('./command/attach.ts'),
  },
  {
    name: 'conflicts',
    summary: 'show what the merge could not decide, side by side',
    positionals: [execution, { name: 'conflict', optional: true, words: [] }],
    options: { json },
    details: `All of them, or the named one. Decide with \`baton merge <execution> --take <conflict>=<agent>\`. ${EXECUTION}`,
    examples: ['baton conflicts exec-20251030-001'],
    load: () => import('./command/conflicts.ts'),
  },
  {
    name: 'merge',
    summary: 'finish a merge with your decisions; no agent runs again',
    positionals: [execution],
    options: {
      take: {
        summary: 'the version of this agent, or this file, decides (repeatable)',
        value: 'CONFLICT=AGENT|FILE',
        multiple: true,
      },
      json,
    },
    details: `Versions that are not taken are kept. ${EXECUTION}`,
    examples: ['baton merge exec-20251030-001 --take c-1b1b6903=code-generator --take c-90ab12cd=./my-version.md'],
    load: () => import('./command/merge.ts'),
  },
  {
    name: 'rollback',
    summary: 'put the workspace back as it was before the first agent',
    positionals: [execution],
    options: { json },
    details: `Needs checkpoint_enabled in the request; refused while the execution runs. ${EXECUTION}`,
    examples: ['baton rollback exec-20251030-001'],
    load: () => import('./command/rollback.ts'),
  },
  {
    name: 'schema',
    summary: 'print the JSON Schema of a protocol file',
    positionals: [{ name: 'name', words: schemas }],
    options: {},
    details: `For editors and for programs that write requests. <name> is one of: ${schemas.join(', ')}.`,
    examples: ['baton schema request > execution_request.schema.json'],
    load: () => import('./command/schema.ts'),
  },
  {
    name: 'engine',
    summary: 'run every request that appears in a folder',
    positionals: [],
    options: {
      watch: { summary: 'the folder (default: workspaces)', value: 'DIR', words: 'folder' },
      'max-panes': { summary: 'agents that may run at once, over all executions (default: 16)', value: 'N' },
      'allow-root': allowRoot,
      trust,
    },
    details:
      'Runs each complete execution_request.json exactly once, also over restarts. A request that is refused gets execution_request.rejected.json beside it. Ctrl-C cancels what runs and ends; Ctrl-C again leaves at once, and the next engine goes on.',
    examples: ['baton engine --watch workspaces --max-panes 8'],
    load: () => import('./command/engine.ts'),
  },
  {
    name: 'doctor',
    summary: 'check that this machine has what Baton needs',
    positionals: [],
    options: { json },
    details: 'Node, tmux, git, claude, the folders Baton keeps and the disk: each with what was found and its cure.',
    examples: ['baton doctor'],
    load: () => import('./command/doctor.ts'),
  },
  ...pageCommands,
  ...claudeCommands,
  ...projectCommands,
  ...watchdogCommands,
  {
    name: 'clean',
    summary: 'remove the working files of old executions; asks first',
    positionals: [],
    options: {
      'older-than': { summary: 'those that ended longer ago than this (default: 30d)', value: 'DAYS' },
      yes: { summary: 'do not ask', short: 'y' },
    },
    details:
      'Removes logs, attempts, checkpoint, kept versions and events of executions whose results were merged. Their requests, inputs, outputs, reports and merged/ stay. Without a terminal, --yes is needed.',
    examples: ['baton clean --older-than 14d'],
    load: () => import('./command/clean.ts'),
  },
  {
    name: 'completion',
    summary: 'print the completion script of your shell',
    positionals: [{ name: 'shell', words: ['bash', 'zsh', 'fish'] }],
    options: {},
    details: 'bash and zsh: eval it in your start file. fish: save it as ~/.config/fish/completions/baton.fish.',
    examples: ['eval "$(baton completion bash)"'],
    load: () => import('./command/completion.ts'),
  },
  {
    name: 'demo',
    summary: 'watch five sample agents at work, on a scripted model',
    positionals: [],
    options: {
      real: { summary: 'your own Claude Code account instead of the practice script; this costs' },
      ...following,
    },
    details:
      'Five real Claude Code sessions whose model is a script: no account, no cost. This is what `npm start` runs; `npm start -- --real` uses your account.',
    examples: ['baton demo'],
    load: () => import('./command/demo.ts'),
  },
];
