// What wakes the follower of one pane: signs of its session, and wishes of people. A wish that comes while a handoff
// is under way is answered with that one: kept for later, it would hand the fresh session off again.

import type { HandoffReason } from '../src/protocol/handoff.ts';

export type Wish = { reason: HandoffReason; answer(text: string): void };

export type Bell = {
  wait(ms: number): Promise<void>;
  ring(): void;
  wish(reason: HandoffReason): Promise<string>;
  nextWish(): Wish | undefined;
  during<T>(handoffId: string, work: () => Promise<T>): Promise<T>;
  close(): void;
};

export function makeBell(): Bell {
  const wishes: Wish[] = [];
  let underWay: string | null = null;
  let wake: (() => void) | null = null;
  let isRung = false; // a ring while nobody waits is not lost: the next wait ends at once

  const answerAll = (text: string) => {
    for (const wish of wishes.splice(0)) wish.answer(text);
  };
  const ring = () => {
    isRung = true;
    wake?.();
  };
  return {
    ring,
    wait: ms =>
      new Promise<void>(resolve => {
        const end = () => {
          clearTimeout(timer);
          wake = null;
          isRung = false;
          resolve();
        };
        const timer = setTimeout(end, isRung ? 0 : ms);
        wake = end;
      }),
    wish: reason =>
      new Promise<string>(answer => {
        if (underWay !== null) return answer(underWay);
        wishes.push({ reason, answer });
        ring();
      }),
    nextWish: () => wishes.shift(),
    async during(handoffId, work) {
      underWay = `handoff ${handoffId} is under way`;
      answerAll(underWay);
      try {
        return await work();
      } finally {
        underWay = null;
      }
    },
    close: () => answerAll('the pane is not watched any more'),
  };
}
