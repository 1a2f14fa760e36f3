// The document a fresh session begins from when the one before it died and left no conversation: facts only, marked
// as such. The document that was there goes to the archive first. Whatever fails here, the relaunch goes on.

import { randomUUID } from 'node:crypto';
import { commitHandoff } from '../git/commit-handoff.ts';
import { workingFacts } from '../git/working-facts.ts';
import { type FallbackFacts, fallbackDocument } from '../handoff/fallback-document.ts';
import { commitMessage } from '../handoff/handoff-prompts.ts';
import { readTemplate } from '../project/document-file.ts';
import { handoffPlaces } from '../project/handoff-places.ts';
import { loadSettings } from '../project/load-settings.ts';
import { replaceDocument } from '../project/replace-document.ts';
import { readLastWords } from '../receipts/last-words.ts';
import { ownRepository } from '../watching/watchdog-places.ts';
import type { SettledAgent } from './context.ts';
import { readTask } from './session-launch.ts';
import type { TendWorld } from './tend-world.ts';

const COMMIT_MS = 20_000;

type Lost = { attempt: number; why: string; transcript: string | null };

// Where it is; null: it could not be written, and the task is told as at the beginning.
export async function writeRecovery(world: TendWorld, agent: SettledAgent, lost: Lost): Promise<string | null> {
  const name = agent.request.agent_name;
  try {
    const { document, files, isCommitted, id } = await write(world, agent, lost);
    if (isCommitted)
      await commitHandoff({
        folder: agent.cwd,
        files,
        removed: [],
        message: commitMessage(id),
        handoffId: id,
        ownRepository: ownRepository(),
        limitMs: COMMIT_MS,
      }).catch(error => warn(world, name, `its recovery document is not committed: ${error.message}`));
    return document;
  } catch (error) {
    warn(world, name, `no recovery document: ${error instanceof Error ? error.message : String(error)}`);
    return null;
  }
}

const warn = (world: TendWorld, agent: string, message: string): void =>
  void world.record.append({ type: 'warning', agent, data: { message, severity: 'medium' } });

async function write(world: TendWorld, agent: SettledAgent, lost: Lost) {
  const { context } = world;
  const name = agent.request.agent_name;
  const at = context.clock.now();
  const loaded = await loadSettings(agent.cwd, { env: context.environment });
  const places = await handoffPlaces(loaded, { folder: agent.cwd, agent: name });
  const view = loaded.forAgent(name);
  const id = `h-${new Date(at).toISOString().slice(0, 19).replaceAll(/[-:T]/g, '')}-${randomUUID().slice(0, 8)}`;
  const facts: Omit<FallbackFacts, 'archived'> = {
    id,
    at,
    reason: 'error recovery',
    why: `its session ended with an error (${lost.why})`,
    tokens: null,
    agent: `${name} of ${context.executionId}`,
    task: (await readTask(context, agent, lost.attempt)).description,
    template: await readTemplate(places.templatePath),
    maxLines: view.handoff_size_threshold.value,
    git: await workingFacts(agent.cwd),
    ...(await readLastWords(lost.transcript)),
    workers: [],
  };
  const text = (archived: readonly string[]) => fallbackDocument({ ...facts, archived }, context.redactor.text);
  const { files } = await replaceDocument(places, at, text);
  return { id, document: places.documentPath, files, isCommitted: view.auto_commit.value };
}
