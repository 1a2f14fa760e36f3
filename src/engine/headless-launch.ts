// Makes a `claude-headless` attempt ready: the settings of run-headless and of its Claude Code, and what is
// worth a word before it begins. What comes of it is told by src/engine/end-chain.ts.

import { open, rm } from 'node:fs/promises';
import { predictContinuation, sizeOf } from '../chain/predict-continuation.ts';
import { claudeSwitches } from '../claude/claude-environment.ts';
import { headlessClaudeSettings } from '../claude/claude-settings.ts';
import { findClaude } from '../claude/find-claude.ts';
import { sessionPlaces } from '../claude/session-places.ts';
import { taskPrompt } from '../conversation/prompts.ts';
import { makeFolder } from '../files/guard-path.ts';
import { writeJson } from '../files/write-file.ts';
import { headlessProgram } from '../headless/headless-program.ts';
import { readHistory } from '../headless/keep-history.ts';
import { checkSettings } from '../headless/run-chain.ts';
import type { AgentConfig } from '../protocol/agent.ts';
import type { HeadlessSettings, TaskSize } from '../protocol/chain.ts';
import type { ReportWarning } from '../protocol/report.ts';
import type { EngineContext, SettledAgent } from './context.ts';
import { stateFolder } from './find-execution.ts';
import { permissionParts, readTask, roleAndContract } from './session-launch.ts';

export type Note = Pick<ReportWarning, 'message' | 'severity'>;

const PRIVATE = { mode: 0o600, sync: false };

export async function prepareHeadless(context: EngineContext, agent: SettledAgent, attempt: number): Promise<Note[]> {
  const { workspace } = context.places;
  const { config, request, cwd } = agent;
  const places = sessionPlaces(workspace, request.agent_name, attempt);
  await makeFolder(places.folder, [workspace]);
  // Whatever lies there is not of this attempt, and must not be taken for its result.
  for (const file of [places.stream, places.chain]) await rm(file, { force: true });
  await (await open(places.stream, 'wx', 0o600)).close();
  const claudeSettings = headlessClaudeSettings(await permissionParts(context, agent, attempt));
  await writeJson(places.settings, claudeSettings, PRIVATE);
  const settings = checkSettings({
    claude_path: await findClaude(config.claude_path, context.environment),
    cwd,
    prompt: taskPrompt(await readTask(context, agent, attempt)),
    append_system_prompt: await roleAndContract(context, agent, attempt),
    settings_file: places.settings,
    permission_mode: modeName(config.permission_mode),
    model: config.model ?? null,
    limits: limitsOf(config, request.timeout),
    raw_file: places.stream,
    result_file: places.chain,
  });
  await writeJson(places.headless, settings, PRIVATE);
  return predictionNotes(agent);
}

export function headlessCommand(context: EngineContext, agent: SettledAgent, attempt: number): string[] {
  return headlessProgram(sessionPlaces(context.places.workspace, agent.request.agent_name, attempt).headless);
}

export const headlessVariables = (): Record<string, string> => ({ ...claudeSwitches });

export const taskSize = ({ request: { task } }: SettledAgent): TaskSize =>
  sizeOf({ ...task, criteria: task.success_criteria });

const limitsOf = (config: AgentConfig, timeout: number) => ({
  max_agent_continuations: config.max_agent_continuations,
  max_chain_cost_usd: config.max_chain_cost_usd,
  max_agent_turns: config.max_agent_turns,
  max_seconds: timeout,
  max_silence_seconds: config.stuck_timeout,
});

// What settings files call "default", the command line of 2.1.326 calls "manual".
const modeName = (mode: AgentConfig['permission_mode']): HeadlessSettings['permission_mode'] =>
  mode === 'default' ? 'manual' : mode;

async function predictionNotes(agent: SettledAgent): Promise<Note[]> {
  if (agent.config.max_agent_continuations === 0) return [];
  // A history that cannot be read is no reason not to work.
  const history = await readHistory(stateFolder(), agent.request.agent_name).catch(() => null);
  const prediction = history === null ? null : predictContinuation(taskSize(agent), history);
  if (prediction?.verdict !== 'likely') return [];
  return [{ message: `it will probably need continuations: ${prediction.why}`, severity: 'low' }];
}
