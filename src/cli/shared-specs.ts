// Positionals, options and sentences that several commands share.

import type { OptionSpec, PositionalSpec } from './command-spec.ts';

export const execution: PositionalSpec = { name: 'execution', words: 'execution' };
export const agent: PositionalSpec = { name: 'agent', words: 'agent' };
export const json: OptionSpec = { summary: 'print JSON on stdout and nothing else' };
export const ofExecution: OptionSpec = {
  summary: 'the execution the agent belongs to',
  value: 'EXECUTION',
  words: 'execution',
};
export const allowRoot: OptionSpec = {
  summary: 'a folder outside of workspace_root for outputs (repeatable)',
  value: 'DIR',
  multiple: true,
  words: 'folder',
};
export const trust: OptionSpec = {
  summary: 'a folder that Claude Code may trust unasked (repeatable)',
  value: 'DIR',
  multiple: true,
  words: 'folder',
};
export const request: OptionSpec = { summary: 'the request file (may also stand alone)', value: 'FILE', words: 'file' };
export const following = {
  quiet: { summary: 'no progress, only the closing lines', short: 'q' },
  json,
} satisfies Record<string, OptionSpec>;

export const EXECUTION = '<execution> is an id, the beginning of one, or the path of a workspace.';
export const AGENT =
  '<agent> is looked for in running executions first, then in the newest that has it. Write execution/agent to be exact.';
