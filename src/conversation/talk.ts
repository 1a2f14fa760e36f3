// How far the talk with one agent has come, as the events tell it: what a restarted engine knows again.

import type { Question } from '../protocol/status.ts';

export type Talk = {
  sessionIds: string[]; // every Claude session of this attempt, the present one last
  isReady: boolean;
  isTaskSaid: boolean;
  nudges: number;
  agains: number; // prompts repeated after API trouble, since the last turn that went well
  missed: number; // prompts in a row that did not arrive
  launches: number[]; // when Claude Code was started for this attempt
  unready: number; // launches in a row, the present one included, that were not proven ready (yet)
  recovery: string | null; // the document a fresh conversation begins from, after an error
  isCutOff: boolean; // it died, was resumed, and nobody has asked it to go on yet
  askedAt: number | null; // the open dialog's
  question: Question | null;
  isParked: boolean;
  parkedSince: number | null;
  parkedUntil: number | null; // null while parked: until a person or an open gate says so
  parkedReason: string | null;
  unparkedAt: number; // trouble from before this was waited out
  parkedMs: number; // of finished parkings
  standsSince: number | null; // parked, or a person is asked: it cannot work, so its clock stands still
  stoodMs: number; // of all that is over
  isLeaving: boolean;
};

export const newTalk = (at: number): Talk => ({
  sessionIds: [],
  isReady: false,
  isTaskSaid: false,
  nudges: 0,
  agains: 0,
  missed: 0,
  launches: [at],
  unready: 1,
  recovery: null,
  isCutOff: false,
  askedAt: null,
  question: null,
  isParked: false,
  parkedSince: null,
  parkedUntil: null,
  parkedReason: null,
  unparkedAt: 0,
  parkedMs: 0,
  standsSince: null,
  stoodMs: 0,
  isLeaving: false,
});

export const parkedMsUntil = (talk: Talk, now: number): number =>
  talk.parkedMs + (talk.parkedSince === null ? 0 : Math.max(0, now - talk.parkedSince));
