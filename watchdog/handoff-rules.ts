// The rules of one pane's handoffs, out of its project's settings. Read anew for each handoff: people change them.

import path from 'node:path';
import { handoffLimits } from '../src/handoff/handoff-limits.ts';
import type { Rules } from '../src/handoff/handoff-types.ts';
import { settingsOf } from '../src/handoff/settings.ts';
import { thresholdsFor } from '../src/handoff/thresholds.ts';
import { loadSettings } from '../src/project/load-settings.ts';
import type { HandoffSettings } from '../src/protocol/config.ts';
import type { WatchedPane } from './watched-pane.ts';

// Receipts and records end a wait early; what only the screen shows is found this soon.
const POLL_MS = 400;

export type PaneRules = {
  rules: Rules;
  settings: HandoffSettings;
  maxHandoffs: number | null;
  indexPath: string; // the document of the project, where agents have documents of their own
  warnings: string[];
};

// An agent of an execution that was handed off so often has a task that is too large, or goes in circles.
const MAX_HANDOFFS = 20;

type Kept = { at: number; loaded: ReturnType<typeof loadSettings> };
const kept = new Map<string, Kept>();
const MOST_KEPT = 500;

// Every status line of every pane asks for them, and most panes share a project.
function settingsIn(folder: string, maxAgeMs: number): Kept['loaded'] {
  const now = performance.now();
  const known = kept.get(folder);
  if (known !== undefined && now - known.at < maxAgeMs) return known.loaded;
  const loaded = loadSettings(folder, { env: process.env });
  if (kept.size >= MOST_KEPT) kept.clear();
  kept.set(folder, { at: now, loaded });
  return loaded;
}

export async function rulesFor(pane: WatchedPane, window: number | null, maxAgeMs = 0): Promise<PaneRules> {
  const { project, forAgent } = await settingsIn(pane.folder, maxAgeMs);
  const view = forAgent(pane.agent);
  const settings = settingsOf(view);
  const { soft, hard, safeMaximum, warnings } = thresholdsFor(view, window);
  const isUnset = view.max_handoffs.from.kind === 'default';
  const at = (name: string) => path.resolve(project.folder, name);
  return {
    settings,
    maxHandoffs: isUnset && pane.kind === 'engine' ? MAX_HANDOFFS : settings.max_handoffs,
    indexPath: at(settings.handoff_path),
    warnings,
    rules: {
      threshold: soft,
      hardThreshold: hard,
      lastTokens: safeMaximum,
      interruptTurns: settings.interrupt_turns,
      autoCommit: settings.auto_commit,
      sizeThreshold: settings.handoff_size_threshold,
      documentPath: pane.documentPath ?? at(settings.handoff_path),
      templatePath: at(settings.template_path),
      archiveDir: at(settings.archive_dir),
      task: pane.task ?? 'as the document says',
      limits: { ...handoffLimits, pollMs: POLL_MS },
    },
  };
}
