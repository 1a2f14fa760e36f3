// Makes a Claude Code session ready to start, and says with which command and variables. Safe to do twice.

import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { claudeEnvironment } from '../claude/claude-environment.ts';
import { claudeCommand, claudeSettings, type PermissionParts } from '../claude/claude-settings.ts';
import { findClaude } from '../claude/find-claude.ts';
import { type SessionPlaces, sessionPlaces } from '../claude/session-places.ts';
import { trustFolder } from '../claude/trust-folder.ts';
import { userStatusLine } from '../claude/user-status-line.ts';
import { systemPrompt } from '../conversation/prompts.ts';
import { isInside, makeFolder } from '../files/guard-path.ts';
import { readJson, writeFileAtomic, writeJson } from '../files/write-file.ts';
import { type AgentConfig, TaskFile } from '../protocol/agent.ts';
import { attemptPlaces } from '../run/workspace-places.ts';
import { ensureRuntimeFolder } from '../tmux/runtime.ts';
import type { EngineContext, SettledAgent } from './context.ts';

const SCRIPTS = fileURLToPath(new URL('../../templates/claude', import.meta.url));
const LAUNCHER = path.join(SCRIPTS, 'launch.sh');
// The same program from src (types are stripped by Node) and from dist.
const EXTENSION = path.extname(fileURLToPath(import.meta.url));
const PERMISSION_HOOK = fileURLToPath(new URL(`../claude/permission-hook${EXTENSION}`, import.meta.url));

export type Session = { new: string } | { resume: string };
export const newSession = (): Session => ({ new: randomUUID() });
export const idOf = (session: Session): string => ('new' in session ? session.new : session.resume);

// What must lie on the disk before Claude Code starts.
export async function prepareSession(context: EngineContext, agent: SettledAgent, attempt: number): Promise<void> {
  const { workspace } = context.places;
  const places = sessionPlaces(workspace, agent.request.agent_name, attempt);
  await makeFolder(places.folder, [workspace]);
  const isTrusted = context.trusted.some(folder => folder === agent.cwd || isInside(agent.cwd, folder));
  if (isTrusted) await trustFolder(agent.cwd, context.environment, ensureRuntimeFolder());
  const parts = await permissionParts(context, agent, attempt);
  const settings = claudeSettings({ ...parts, scripts: SCRIPTS });
  await writeJson(places.settings, settings, { mode: 0o600, sync: false });
  await writeFileAtomic(places.systemPrompt, await roleAndContract(context, agent, attempt), {
    mode: 0o600,
    sync: false,
  });
}

export async function roleAndContract(context: EngineContext, agent: SettledAgent, attempt: number): Promise<string> {
  const role = await readFile(path.join(agent.agentPath, 'AGENT.md'), 'utf8').catch(() => '');
  return systemPrompt(await readTask(context, agent, attempt), role);
}

export const hasRules = ({ allow, deny }: AgentConfig): boolean => allow.length + deny.length > 0;

// What it may do without being asked, and by which rules a question is answered.
export async function permissionParts(
  context: EngineContext,
  agent: SettledAgent,
  attempt: number,
): Promise<PermissionParts> {
  const { config } = agent;
  const { rules } = sessionPlaces(context.places.workspace, agent.request.agent_name, attempt);
  await writeJson(rules, { allow: config.allow, deny: config.deny }, { mode: 0o600, sync: false });
  const permissionHook = hasRules(config) ? [process.execPath, PERMISSION_HOOK, rules] : null;
  return { config, permissionHook, folders: foldersOf(context, agent, attempt) };
}

export const readTask = (context: EngineContext, agent: SettledAgent, attempt: number): Promise<TaskFile> =>
  readJson(attemptPlaces(context.places.workspace, agent.request.agent_name, attempt).taskFile, TaskFile);

// Folders the task names that lie outside of its working folder: Claude Code would ask for each.
function foldersOf(context: EngineContext, agent: SettledAgent, attempt: number): string[] {
  const { resultFile } = attemptPlaces(context.places.workspace, agent.request.agent_name, attempt);
  const named = [...Object.values(agent.outputs), resultFile].map(file => path.dirname(file));
  const inputs = Object.values(agent.inputs).map(file => path.dirname(file));
  return [...new Set([...named, ...inputs])].filter(folder => !isInside(folder, agent.cwd));
}

export type SessionCommand = { argv: string[]; env: Record<string, string> };

export async function sessionCommand(
  context: EngineContext,
  agent: SettledAgent,
  o: { attempt: number; launch: number; session: Session },
): Promise<SessionCommand> {
  const places = sessionPlaces(context.places.workspace, agent.request.agent_name, o.attempt);
  const claude = await findClaude(agent.config.claude_path, context.environment);
  const command = claudeCommand({
    claude,
    settingsFile: places.settings,
    systemPromptFile: places.systemPrompt,
    model: agent.config.model,
    session: o.session,
  });
  const own = await userStatusLine(context.environment);
  return {
    argv: ['/bin/sh', LAUNCHER, places.launchMark(o.launch), agent.cwd, ...command],
    env: { ...sessionVariables(places), ...(own === null ? {} : { BATON_USER_STATUS_LINE: own }) },
  };
}

const sessionVariables = (places: SessionPlaces): Record<string, string> =>
  claudeEnvironment({
    receipts: places.receipts,
    statusRecord: places.record,
    blockCompact: places.blockCompact,
    order: places.order,
  });
