// The files between the engine and one agent: agent.json (the agent's settings), the task file it is
// given through BATON_TASK_FILE, and agent_result.json, which it may write to BATON_RESULT_FILE.

import { z } from 'zod';
import { Criterion } from './request.ts';
import { AgentName, ExecutionId, PathText } from './text.ts';

const Argv = z.array(z.string().refine(part => !part.includes('\0'), 'holds a NUL character')).min(1);

export const Check = z.strictObject({
  command: Argv.describe('Program and arguments, run by the engine in the working folder of the agent.'),
  read: z
    .union([z.literal(['exit', 'number']), z.string().regex(/^json:.+$/)])
    .default('exit')
    .describe('exit: true when it ends with 0. number: the last number printed. json:<path>: that field.'),
});
export type Check = z.infer<typeof Check>;

export const AgentConfig = z.strictObject({
  provider: z.enum(['claude', 'command']).default('claude').describe('What runs in the pane.'),
  command: Argv.optional().describe('For provider "command". Relative file names are looked up in this folder first.'),
  cwd: PathText.optional().describe('Working folder; relative to workspace_root. Default: work/<agent>.'),
  model: z.string().optional(),
  env: z
    .array(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/))
    .default([])
    .describe('Variables passed on by name.'),
  checks: z.record(z.string(), Check).default({}).describe('How the engine verifies a success criterion.'),
});
export type AgentConfig = z.infer<typeof AgentConfig>;

export const TaskFile = z.strictObject({
  execution_id: ExecutionId,
  agent_name: AgentName,
  attempt: z.int().min(1),
  workspace_root: z.string(),
  agent_path: z.string(),
  description: z.string(),
  inputs: z.record(z.string(), z.string()),
  outputs: z.record(z.string(), z.string()),
  success_criteria: z.record(z.string(), Criterion),
  result_file: z.string(),
});
export type TaskFile = z.infer<typeof TaskFile>;

export const AgentResult = z.strictObject({
  status: z.string().describe('"success", or anything else, which fails the attempt.'),
  summary: z.string().max(100_000).optional(),
  criteria: z.record(z.string(), Criterion).default({}).describe('Reported values of the success criteria.'),
  metrics: z.record(z.string(), z.union([z.number(), z.string(), z.boolean()])).default({}),
});
export type AgentResult = z.infer<typeof AgentResult>;
