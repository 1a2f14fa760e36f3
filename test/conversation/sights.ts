// What a tender may see, in a form that each test changes in one place.

import { type Heard, heardNothing } from '../../src/conversation/heard.ts';
import type { Rules, Seen } from '../../src/conversation/next-move.ts';
import { newTalk, type Talk } from '../../src/conversation/talk.ts';
import type { ScreenReading, ScreenState } from '../../src/protocol/screen.ts';

export const NOW = Date.UTC(2026, 10, 18, 12);

export const screen = (state: ScreenState, more: Partial<ScreenReading> = {}): ScreenReading => ({
  state,
  safe_to_type: state === 'idle',
  draft: null,
  placeholder: null,
  context: null,
  error: null,
  ...more,
});

export const shownError = (
  kind: NonNullable<ScreenReading['error']>['kind'],
  resets_at: string | null = null,
): ScreenReading => screen('idle', { error: { kind, message: `it shows ${kind}`, resets_at, is_retrying: false } });

export const heard = (more: Partial<Heard> = {}): Heard => ({ ...heardNothing(NOW - 5000), sessionId: 's1', ...more });

export const seen = (more: Partial<Seen> = {}): Seen => ({
  at: NOW,
  launchedAt: NOW - 10_000,
  screen: screen('idle'),
  stillMs: 10_000,
  stateForMs: 10_000,
  heard: heard(),
  isHeld: false,
  hasLeftover: false,
  gate: null,
  provenAt: 0,
  contract: null,
  costUsd: null,
  cap: null,
  chance: 1,
  ...more,
});

// At work: ready, and told its task.
export const talk = (more: Partial<Talk> = {}): Talk => ({
  ...newTalk(NOW - 10_000),
  sessionIds: ['s1'],
  isReady: true,
  unready: 0,
  isTaskSaid: true,
  ...more,
});

export const rules: Rules = {
  maxNudges: 3,
  readyMs: 60_000,
  permissionMs: 600_000,
  stuckMs: 1_800_000,
  maxCostUsd: null,
};
