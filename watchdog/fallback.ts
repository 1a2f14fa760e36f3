// The document written by the watchdog: facts from git and the transcript, in the sections of the template.

import path from 'node:path';
import { makeFolder } from '../src/files/guard-path.ts';
import { makeRedactor } from '../src/files/redact.ts';
import { writeFileAtomic } from '../src/files/write-file.ts';
import { workingFacts } from '../src/git/working-facts.ts';
import { type FallbackFacts, fallbackDocument } from '../src/handoff/fallback-document.ts';
import type { Effect, HandoffState, Outcome } from '../src/handoff/handoff-types.ts';
import { readDocumentFile, readTemplate } from '../src/project/document-file.ts';
import { readLastWords } from '../src/receipts/last-words.ts';
import type { Hands } from './act.ts';

export async function writeFallback(
  hands: Hands,
  effect: Extract<Effect, { do: 'write_fallback' }>,
  state: HandoffState,
): Promise<Outcome> {
  const { rules } = hands;
  if ((await readDocumentFile(rules.documentPath)).hash !== effect.over)
    return { did: 'nothing', why: 'the document changed meanwhile' };
  await makeFolder(path.dirname(rules.documentPath), [rules.root]);
  const text = fallbackDocument(await factsOf(hands, effect, state), makeRedactor(process.env).text);
  await writeFileAtomic(rules.documentPath, text);
  return { did: 'done' };
}

async function factsOf(
  hands: Hands,
  effect: Extract<Effect, { do: 'write_fallback' }>,
  state: HandoffState,
): Promise<FallbackFacts> {
  const { rules, pane, ear, task } = hands;
  return {
    id: effect.id,
    at: Date.now(),
    reason: effect.reason,
    why: effect.why,
    tokens: state.handoff.tokensBefore,
    agent: pane.name,
    task,
    template: await readTemplate(rules.templatePath),
    maxLines: rules.sizeThreshold,
    git: await workingFacts(pane.folder),
    ...(await readLastWords(ear.transcript())),
    workers: workersOf(hands),
    archived: state.handoff.archived,
  };
}

// Also those that ended since the orchestrator was last told: it may never have heard of it.
function workersOf(hands: Hands): FallbackFacts['workers'] {
  const { workers, events } = hands.workers();
  return workers.map(({ key, name, task, state, note }) => ({
    name,
    task: task ?? 'not known',
    status: note === null ? state : `${state} (${note})`,
    branch: null,
    at: events.findLast(event => event.key === key)?.at ?? null,
  }));
}
