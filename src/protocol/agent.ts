// The files between the engine and one agent: agent.json (the agent's settings), the task file it is
// given through BATON_TASK_FILE, and agent_result.json, which it may write to BATON_RESULT_FILE.

import { z } from 'zod';
import { ChainLimits } from './chain.ts';
import { Criterion } from './request.ts';
import { AgentName, ExecutionId, PathText, WEEK_SECONDS } from './text.ts';

const Argv = z.array(z.string().refine(part => !part.includes('\0'), 'holds a NUL character')).min(1);

export const Check = z.strictObject({
  command: Argv.describe('Program and arguments, run by the engine in the working folder of the agent.'),
  read: z
    .union([z.literal(['exit', 'number']), z.string().regex(/^json:.+$/)])
    .default('exit')
    .describe('exit: true when it ends with 0. number: the last number printed. json:<path>: that field.'),
});
export type Check = z.infer<typeof Check>;

const PermissionRule = z
  .string()
  .regex(/^[A-Za-z][A-Za-z0-9_-]*(\([^\n]*\))?$/, 'must be a tool, or a tool and a pattern: Bash(git add *)');
const { shape: limits } = ChainLimits;
const Seconds = z.number().positive().max(WEEK_SECONDS);

export const AgentConfig = z.strictObject({
  provider: z.enum(['claude', 'claude-headless', 'command']).default('claude').describe('What runs in the pane.'),
  command: Argv.optional().describe('For provider "command". Relative file names are looked up in this folder first.'),
  cwd: PathText.optional().describe('Working folder; relative to workspace_root. Default: work/<agent>.'),
  model: z.string().min(1).optional(),
  env: z
    .array(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/))
    .default([])
    .describe('Variables passed on by name.'),
  checks: z.record(z.string(), Check).default({}).describe('How the engine verifies a success criterion.'),
  claude_path: PathText.optional().describe('Which Claude Code. Default: BATON_CLAUDE, then PATH, then node_modules.'),
  permission_mode: z
    .enum(['default', 'acceptEdits', 'plan', 'auto', 'bypassPermissions'])
    .default('acceptEdits')
    .describe('The least that lets most tasks run: files in its folders are edited without asking.'),
  allow: z.array(PermissionRule).default([]).describe('Permission prompts answered with yes, e.g. Bash(npm test *).'),
  deny: z.array(PermissionRule).default([]).describe('Answered with no; stronger than allow.'),
  permission_timeout: Seconds.default(600).describe('Seconds a permission prompt waits before it is denied.'),
  max_nudges: z.int().min(0).max(20).default(3).describe('How often it is told what is missing before it fails.'),
  stuck_timeout: Seconds.default(1800).describe('Seconds without any progress after which it is given up.'),
  max_cost_usd: z.number().positive().optional().describe('At this cost it is parked and a person is asked.'),
  renderer: z.enum(['fullscreen', 'default']).default('fullscreen').describe('How Claude Code draws.'),
  max_agent_continuations: limits.max_agent_continuations.describe(
    'claude-headless: fresh sessions after the first one. 0 is off.',
  ),
  max_chain_cost_usd: limits.max_chain_cost_usd.describe('claude-headless: over all sessions of an attempt.'),
  max_agent_turns: limits.max_agent_turns.describe('claude-headless: turns of each single session.'),
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
