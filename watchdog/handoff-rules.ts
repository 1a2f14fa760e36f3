// The rules of one pane's handoffs, out of its project's settings. Read anew for each handoff: people change them.

import path from 'node:path';
import type { Limits, Rules } from '../src/handoff/handoff-types.ts';
import { settingsOf } from '../src/handoff/settings.ts';
import { thresholdsFor } from '../src/handoff/thresholds.ts';
import { loadSettings } from '../src/project/load-settings.ts';
import type { HandoffSettings } from '../src/protocol/config.ts';
import type { WatchedPane } from './watched-pane.ts';

const MINUTE = 60_000;

// How long each step may take. A person's time is long, a key's time is short.
export const limits: Limits = {
  pollMs: 400,
  maxGapMs: 5000,
  settleMs: 3000,
  saidMs: 15_000,
  writeMs: 15 * MINUTE,
  alertMs: 10 * MINUTE,
  orderMs: 5 * MINUTE,
  commitRetryMs: 5000,
  userCommitMs: 24 * 60 * MINUTE,
  clearWaitMs: 60 * MINUTE,
  clearMs: 30_000,
  resumeMs: 5 * MINUTE,
  blindMs: 2 * MINUTE,
  troubleMs: 30_000,
};

export type PaneRules = { rules: Rules; settings: HandoffSettings; warnings: string[] };

export async function rulesFor(pane: WatchedPane, window: number | null): Promise<PaneRules> {
  const { project, forAgent } = await loadSettings(pane.folder, { env: process.env });
  const view = forAgent(pane.agent);
  const settings = settingsOf(view);
  const { soft, hard, safeMaximum, warnings } = thresholdsFor(view, window);
  const at = (name: string) => path.resolve(project.folder, name);
  return {
    settings,
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
      limits,
    },
  };
}
