// The table of all commands. Help, completion, parsing and docs/using.md come from it; each command's
// code is loaded only when that command runs, because `baton --version` should cost no more than Node.

import type { CommandSpec, OptionSpec, PositionalSpec } from './command-spec.ts';

const execution: PositionalSpec = { name: 'execution', words: 'execution' };
const agent: PositionalSpec = { name: 'agent', words: 'agent' };
const json: OptionSpec = { summary: 'print JSON on stdout and nothing else' };
const ofExecution: OptionSpec = {
  summary: 'the execution the agent belongs to',
  value: 'EXECUTION',
  words: 'execution',
};
const allowRoot: OptionSpec = {
  summary: 'a folder outside of workspace_root that outputs may go to (repeatable)',
  value: 'DIR',
  multiple: true,
  words: 'folder',
};
const request: OptionSpec = { summary: 'the request file (may also stand alone)', value: 'FILE', words: 'file' };
const following = {
  quiet: { summary: 'no progress, only the closing lines', short: 'q' },
  json,
} satisfies Record<string, OptionSpec>;

// Written out again: to ask protocol/describe.ts would load zod for every command. A test compares.
const schemas = ['request', 'report', 'status', 'ctxpack', 'agent', 'result', 'conflicts', 'event'] as const;

const EXECUTION = '<execution> is an id, the beginning of one, or the path of a workspace.';
const AGENT =
  '<agent> is looked for in running executions first, then in the newest that has it. Write execution/agent to be exact.';

export const commands: readonly CommandSpec[] = [
  {
    name: 'run',
    summary: 'run a request and wait for its report',
    positionals: [{ name: 'request', optional: true, words: 'file' }],
    options: {
      request,
      output: { summary: 'write a copy of the report here as well', value: 'FILE', short: 'o', words: 'file' },
      'allow-root': allowRoot,
      again: { summary: 'run a finished workspace again; the old run is kept' },
      ...following,
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
    options: { execution: ofExecution, 'read-only': { summary: 'look only, type nothing', short: 'r' } },
    details: `Works inside your own tmux too. Leave with the prefix key and "d". Prints the plain tmux command when stdout is not a terminal. ${AGENT}`,
    examples: ['baton attach code-generator -r'],
    load: () => import('./command/attach.ts'),
  },
  {
    name: 'conflicts',
    summary: 'show what the merge could not decide, side by side',
    positionals: [execution],
    options: { json },
    details: `Decide with \`baton merge <execution> --take <conflict>=<agent>\`. ${EXECUTION}`,
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
    summary: 'run the sample request in a new folder below workspaces/',
    positionals: [],
    options: { ...following },
    details: 'Five agents, no account, no cost. This is what `npm start` runs.',
    examples: ['baton demo'],
    hidden: true,
    load: () => import('./command/demo.ts'),
  },
];
