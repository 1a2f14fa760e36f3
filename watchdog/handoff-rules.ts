// The rules of one pane's handoffs, out of its project's settings. Read anew for each handoff: people change them.

import { handoffLimits } from '../src/handoff/handoff-limits.ts';
import type { Places, Rules } from '../src/handoff/handoff-types.ts';
import { settingsOf } from '../src/handoff/settings.ts';
import { thresholdsFor } from '../src/handoff/thresholds.ts';
import { handoffPlaces } from '../src/project/handoff-places.ts';
import { loadSettings } from '../src/project/load-settings.ts';
import { placeIn } from '../src/project/project-files.ts';
import type { HandoffSettings } from '../src/protocol/config.ts';
import type { WatchedPane } from './watched-pane.ts';

// Receipts and records end a wait early; what only the screen shows is found this soon.
const POLL_MS = 400;

export type PaneRules = {
  rules: Rules;
  settings: HandoffSettings;
  maxHandoffs: number | null;
  indexPath: string | null; // the document of the project, where agents have documents of their own
  warnings: string[];
};

// An agent of an execution that was handed off so often has a task that is too large, or goes in circles.
const MAX_HANDOFFS = 20;

const MOST_KEPT = 500;
const JUST_NOW_MS = 1000;

function remember<T>(load: (...words: string[]) => Promise<T>) {
  const kept = new Map<string, { at: number; loaded: Promise<T> }>();
  return (maxAgeMs: number, ...words: string[]): Promise<T> => {
    const now = performance.now();
    const key = words.join('\0');
    const known = kept.get(key);
    if (known !== undefined && now - known.at < maxAgeMs) return known.loaded;
    const loaded = load(...words);
    if (kept.size >= MOST_KEPT) kept.clear();
    kept.set(key, { at: now, loaded });
    return loaded;
  };
}

// Every status line of every pane asks for them, and most panes share a project.
// Those of the shell that started the watchdog are nobody's: each pane has those it was started or adopted with.
const settingsIn = remember((folder: string, given: string) => loadSettings(folder, { flags: JSON.parse(given) }));
const placesOf = remember(async (folder: string, given: string, agent: string) => {
  const loaded = await settingsIn(JUST_NOW_MS, folder, given);
  const index = await placeIn(loaded.project.folder, loaded.view.handoff_path.value);
  return { places: await handoffPlaces(loaded, { folder, agent: agent === '' ? null : agent }), index };
});

// `places`: those of a handoff that is gone on with; settings that changed meanwhile do not part it from its document.
export async function rulesFor(
  pane: WatchedPane,
  window: number | null,
  { maxAgeMs = 0, places: known }: { maxAgeMs?: number; places?: Places | undefined } = {},
): Promise<PaneRules> {
  const given = JSON.stringify(pane.settings ?? {});
  const { forAgent } = await settingsIn(maxAgeMs, pane.folder, given);
  const agent = pane.kind === 'engine' ? (pane.agent ?? '') : '';
  const found = await placesOf(maxAgeMs, pane.folder, given, agent).catch(error => {
    if (known === undefined) throw error;
    return null;
  });
  const view = forAgent(pane.agent);
  const settings = settingsOf(view);
  const { soft, hard, safeMaximum, warnings } = thresholdsFor(view, window);
  const isUnset = view.max_handoffs.from.kind === 'default';
  return {
    settings,
    maxHandoffs: isUnset && pane.kind === 'engine' ? MAX_HANDOFFS : settings.max_handoffs,
    indexPath: found?.index ?? null,
    warnings,
    rules: {
      threshold: soft,
      hardThreshold: hard,
      lastTokens: safeMaximum,
      interruptTurns: settings.interrupt_turns,
      autoCommit: settings.auto_commit,
      sizeThreshold: settings.handoff_size_threshold,
      ...(known ?? found!.places),
      task: pane.task ?? 'as the document says',
      limits: { ...handoffLimits, pollMs: POLL_MS },
    },
  };
}
