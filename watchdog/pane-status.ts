// What the watchdog tells of one pane in its status file.

import type { SessionEar } from '../src/claude/session-ear.ts';
import type { WatchdogStatus } from '../src/protocol/handoff.ts';
import { lacksWhileSilent } from '../src/watching/adopted-panes.ts';
import type { PaneRules } from './handoff-rules.ts';
import type { WatchedPane } from './watched-pane.ts';

export type PaneStatus = WatchdogStatus['panes'][number];

export function statusOf(
  pane: WatchedPane,
  ear: SessionEar | null,
  tokens: number | null,
  rules: PaneRules | null,
  handoff: PaneStatus['handoff'],
): PaneStatus {
  const session_id = ear?.state().sessionId ?? null;
  return {
    socket: pane.identity.socket,
    pane: pane.identity.pane,
    agent: pane.agent,
    session_id,
    tokens,
    threshold: rules?.rules.threshold ?? null,
    handoff,
    paused: null,
    lacks: session_id === null ? pane.lacks : pane.lacks.filter(lack => lack !== lacksWhileSilent),
  };
}
