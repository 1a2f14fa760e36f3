// Everything that must stand before an attempt begins: what an earlier one left is moved away, so that
// nothing old proves anything new; folders, logs and the task file are made. Safe to do twice.

import { closeSync, constants, lstatSync, openSync, rmSync } from 'node:fs';
import { lstat } from 'node:fs/promises';
import path from 'node:path';
import { isInside, makeFolder, resolveInside } from '../files/guard-path.ts';
import { copyTree, moveTree } from '../files/move-tree.ts';
import { fingerprintTree } from '../files/walk-tree.ts';
import { writeJson } from '../files/write-file.ts';
import { lookAtRepository, type RepositoryFact, repositoryAt } from '../git/git-facts.ts';
import type { TaskFile } from '../protocol/agent.ts';
import { type AttemptPlaces, attemptPlaces } from '../run/workspace-places.ts';
import type { SessionSpec } from '../tmux/tmux.ts';
import { agentEnvironment } from './agent-environment.ts';
import type { EngineContext, SettledAgent } from './context.ts';
import type { Note } from './headless-launch.ts';
import { providerOf } from './provider.ts';

// What the disk showed before the attempt, to tell afterwards what the attempt did.
export type Before = { fingerprints: Record<string, string | null>; repositories: RepositoryFact[] };

export async function prepareAttempt(context: EngineContext, agent: SettledAgent, attempt: number): Promise<Note[]> {
  const { workspace } = context.places;
  const places = attemptPlaces(workspace, agent.request.agent_name, attempt);
  await guardOwnFolders(context);
  await clearAway(context, agent, attempt);
  const parents = Object.values(agent.outputs).map(output => path.dirname(output));
  for (const folder of new Set(parents)) await makeFolder(folder, context.roots);
  for (const folder of [path.dirname(places.resultFile), places.logFolder]) await makeFolder(folder, [workspace]);
  if (isInside(agent.cwd, workspace)) await makeFolder(agent.cwd, [workspace]);
  for (const file of [places.logs.stdout, places.logs.stderr]) makePrivateFile(file);
  await writeJson(places.taskFile, taskFile(context, agent, places, attempt), { sync: false });
  await writeJson(places.beforeFile, await lookBefore(context, agent), { sync: false, mode: 0o600 });
  return providerOf(agent.config).prepare(context, agent, attempt);
}

// An agent that runs beside this one may have put a link where we write ourselves.
async function guardOwnFolders({ places }: EngineContext): Promise<void> {
  for (const folder of [places.marks, places.tasks, places.tmux]) await makeFolder(folder, [places.workspace]);
  await resolveInside(places.attempts, [places.workspace]);
}

export async function sessionSpec(
  context: EngineContext,
  agent: SettledAgent,
  o: { attempt: number; session: string },
): Promise<SessionSpec> {
  const { workspace } = context.places;
  const name = agent.request.agent_name;
  const { argv, env } = await providerOf(agent.config).launch(context, agent, o.attempt);
  const rawLog = `${context.places.tmux}/${o.session}.log`;
  makePrivateFile(rawLog);
  return {
    session: o.session,
    tags: { execution: context.executionId, workspace, agent: name, attempt: o.attempt },
    env: { ...environmentOf(context, agent, o.attempt), ...env },
    command: argv,
    rawLog,
  };
}

export function environmentOf(context: EngineContext, agent: SettledAgent, attempt: number): Record<string, string> {
  return agentEnvironment(
    taskOf(context, agent, attempt),
    agent.config,
    context.environment,
    providerOf(agent.config).isWanted,
  );
}

function taskOf(context: EngineContext, agent: SettledAgent, attempt: number) {
  const { workspace } = context.places;
  const { taskFile, resultFile } = attemptPlaces(workspace, agent.request.agent_name, attempt);
  const { agentPath, inputs, outputs } = agent;
  return {
    executionId: context.executionId,
    agent: agent.request.agent_name,
    attempt,
    workspace,
    agentPath,
    taskFile,
    resultFile,
    inputs,
    outputs,
  };
}

function taskFile(context: EngineContext, agent: SettledAgent, places: AttemptPlaces, attempt: number): TaskFile {
  return {
    execution_id: context.executionId,
    agent_name: agent.request.agent_name,
    attempt,
    workspace_root: context.places.workspace,
    agent_path: agent.agentPath,
    description: agent.request.task.description,
    inputs: agent.inputs,
    outputs: agent.outputs,
    success_criteria: agent.request.task.success_criteria,
    result_file: places.resultFile,
  };
}

async function clearAway(context: EngineContext, agent: SettledAgent, attempt: number): Promise<void> {
  const { workspace } = context.places;
  const name = agent.request.agent_name;
  const { archive } = attemptPlaces(workspace, name, attempt - 1);
  const places = attemptPlaces(workspace, name, attempt);
  for (const [slot, output] of Object.entries(agent.outputs)) {
    if (!(await isThere(output))) continue;
    await resolveInside(path.dirname(output), context.roots, { allowRoot: true });
    // An output that is also an input is worked on in place: it is copied, and must change to count.
    const put = isInPlace(agent, output) ? copyTree : moveTree;
    await put(output, await freeName(`${archive}/outputs/${slot}`));
  }
  const rest = [places.resultFile, ...(attempt > 1 ? [places.logs.stdout, places.logs.stderr] : [])];
  for (const file of rest) {
    if (!(await isThere(file))) continue;
    const name = file === places.resultFile ? 'agent_result.json' : `logs/${path.basename(file)}`;
    await moveTree(file, await freeName(`${archive}/${name}`));
  }
}

export const isInPlace = (agent: SettledAgent, output: string): boolean =>
  Object.values(agent.inputs).some(input => isInside(input, output) || isInside(output, input));

async function lookBefore(context: EngineContext, agent: SettledAgent): Promise<Before> {
  const fingerprints: Before['fingerprints'] = {};
  for (const [slot, output] of Object.entries(agent.outputs)) {
    if (isInPlace(agent, output)) fingerprints[slot] = await fingerprintTree(output);
  }
  const roots = agent.config.cwd === undefined ? context.roots : [...context.roots, agent.cwd];
  const folders = [agent.cwd, ...Object.values(agent.outputs)];
  const found = await Promise.all(folders.map(folder => repositoryAt(folder, roots)));
  const repositories = [...new Set(found.filter(repository => repository !== null))];
  return { fingerprints, repositories: await Promise.all(repositories.map(lookAtRepository)) };
}

async function freeName(wanted: string): Promise<string> {
  for (let n = 1; ; n++) {
    const name = n === 1 ? wanted : `${wanted}.${n}`;
    if (!(await isThere(name))) return name;
  }
}

export const isThere = (file: string): Promise<boolean> =>
  lstat(file).then(
    () => true,
    () => false,
  );

// A link, a pipe or a second name of somebody's file, left there by an agent, would carry the log away.
function makePrivateFile(file: string): void {
  const seen = lstatSync(file, { throwIfNoEntry: false });
  if (seen !== undefined && (!seen.isFile() || seen.nlink > 1)) rmSync(file);
  const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW } = constants;
  closeSync(openSync(file, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW, 0o600));
}
