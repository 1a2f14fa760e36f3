// No loops, no burnt money: the breaker on failed handoffs (kept over restarts by its caller), and whether one more
// handoff may begin. Pure.

import type { BreakerRecord } from '../protocol/handoff.ts';

export type BreakerRules = { failures: number; withinMs: number; pauseMs: number };
export const breakerRules: BreakerRules = { failures: 3, withinMs: 15 * 60_000, pauseMs: 30 * 60_000 };

export const closedBreaker: BreakerRecord = { version: 1, failures: [], paused_until: null };

// Of all panes together. One that succeeds in between forgives nothing: old failures fall out by their age.
export function afterFailure(breaker: BreakerRecord, at: number, rules: BreakerRules = breakerRules): BreakerRecord {
  const recent = [...breaker.failures, at].filter(time => Math.abs(at - time) < rules.withinMs);
  if (recent.length < rules.failures) return { ...breaker, failures: recent };
  return { version: 1, failures: [], paused_until: at + rules.pauseMs };
}

// A clock set back must not make a pause of days: longer than a whole pause is none of ours.
export const pausedUntil = (breaker: BreakerRecord, at: number, rules: BreakerRules = breakerRules): number | null =>
  breaker.paused_until !== null && at < breaker.paused_until && breaker.paused_until - at <= rules.pauseMs
    ? breaker.paused_until
    : null;

export type Load = {
  done: number; // handoffs of this pane so far
  costUsd: number | null; // of this pane; null: not known
  isSessionLatched: boolean;
  isManual: boolean; // asked for by a person: neither breaker nor latch holds it up
};
export type Caps = { maxHandoffs: number | null; maxCostUsd: number | null };
export type Leave = { may: true } | { may: false; isForNow: boolean; why: string };

export function mayBegin(load: Load, caps: Caps, breaker: BreakerRecord, at: number): Leave {
  const never = (why: string): Leave => ({ may: false, isForNow: false, why });
  const later = (why: string): Leave => ({ may: false, isForNow: true, why });
  if (caps.maxHandoffs !== null && load.done >= caps.maxHandoffs)
    return never(`it had ${load.done} handoffs, and max_handoffs is ${caps.maxHandoffs}`);
  if (caps.maxCostUsd !== null && load.costUsd !== null && load.costUsd >= caps.maxCostUsd)
    return never(`it has cost ${load.costUsd} of max_cost_usd ${caps.maxCostUsd}`);
  if (load.isSessionLatched && !load.isManual) return never('this session was already handed off, or tried');
  const until = load.isManual ? null : pausedUntil(breaker, at);
  if (until !== null) return later(`handoffs pause until ${new Date(until).toISOString()}: too many failed`);
  return { may: true };
}

// What went wrong on our side or the world's. A person who took over, or a finished agent, is no failure.
export const isFailure = (how: string): boolean =>
  [
    'blind',
    'archive_failed',
    'document_failed',
    'commit_failed',
    'clear_unproven',
    'resume_blocked',
    'futile',
  ].includes(how);
