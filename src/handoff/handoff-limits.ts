// How long each wait of a handoff may last. Every guess has its reason; tests use the same names with other figures.

import type { Limits } from './handoff-types.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

export const handoffLimits: Limits = {
  pollMs: 2 * SECOND, // receipts and records wake the runner earlier
  maxGapMs: 4 * SECOND, // well under settleMs: a jump of the clock must not look like time in which something showed
  settleMs: 10 * SECOND, // a receipt takes 0.1 s, /clear at most 0.8 s; measured on an idle machine, so with room
  saidMs: 30 * SECOND,
  writeMs: 15 * MINUTE, // a real model reads files before it writes
  alertMs: 5 * MINUTE,
  orderMs: 2 * MINUTE,
  commitRetryMs: 10 * SECOND,
  userCommitMs: 24 * 60 * MINUTE,
  clearWaitMs: 60 * MINUTE,
  clearMs: 30 * SECOND,
  resumeMs: 60 * MINUTE,
  blindMs: 10 * MINUTE,
  troubleMs: MINUTE,
};
