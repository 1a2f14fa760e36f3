// Answers the dialog on a Claude Code screen by its number, and only the one that was shown: the question is
// read again right before the key, and any other question there refuses it.

import { setTimeout as sleep } from 'node:timers/promises';
import { plainText } from '../files/plain-text.ts';
import type { ScreenQuestion } from '../protocol/screen.ts';
import { readQuestion } from '../screen/read-question.ts';
import { newestPatterns } from '../screen/screen-patterns.ts';
import type { Key, PaneDoor } from '../tmux/pane-door.ts';

export type Answered =
  | { outcome: 'answered'; option: { number: number; label: string } }
  | { outcome: 'refused'; why: string }
  | { outcome: 'failed'; why: string };

const GONE_MS = 5000;
const LOOK_MS = 60;
const SETTLE_MS = 400;

export async function answerQuestion(pane: PaneDoor, digest: string, number: number): Promise<Answered> {
  const { question, holder, isTyping } = await settledQuestion(pane);
  if (holder !== null) return { outcome: 'refused', why: `${holder} holds it` };
  if (question === null) return { outcome: 'refused', why: 'no question is open there' };
  if (question.digest !== digest) return { outcome: 'refused', why: `it asks something else now: ${question.title}` };
  const option = question.options.find(each => each.number === number);
  if (option === undefined || number > 9)
    return {
      outcome: 'refused',
      why: `it has no option ${number}; there are ${question.options.map(each => each.number).join(', ')}`,
    };
  if (newestPatterns.tickOption.test(option.label)) return byHand('several options may be ticked there');
  if (newestPatterns.textOption.test(option.label)) return byHand('a text is to be typed there');
  if (isTyping) return byHand('somebody types a text there');
  return press(pane, question, String(number) as Key, option);
}

const byHand = (why: string): Answered => ({ outcome: 'refused', why: `${why}: it has to be answered by hand` });

// "No" where there is one; else Esc, which ends the turn without any hook.
export async function denyQuestion(pane: PaneDoor, digest: string): Promise<Answered> {
  const { question, holder, isTyping } = await settledQuestion(pane);
  if (holder !== null) return { outcome: 'refused', why: `${holder} holds it` };
  if (question === null || question.digest !== digest) return { outcome: 'refused', why: 'the question is gone' };
  const no = question.options.find(each => /^no\b/i.test(each.label));
  if (no !== undefined && no.number <= 9 && !isTyping) return press(pane, question, String(no.number) as Key, no);
  return press(pane, question, 'Escape', { number: 0, label: 'Esc' });
}

async function press(
  pane: PaneDoor,
  asked: ScreenQuestion,
  key: Key,
  option: { number: number; label: string },
): Promise<Answered> {
  if ((await pane.press(key)) === 'nothing') return { outcome: 'refused', why: 'the pane changed before the key' };
  const until = performance.now() + GONE_MS;
  while (performance.now() < until) {
    await sleep(LOOK_MS);
    const { question } = await lookAt(pane);
    // The same question with other options (a tick, a typed text) was not answered by the key.
    if (question?.title !== asked.title || question.body !== asked.body)
      return { outcome: 'answered', option: { number: option.number, label: option.label } };
  }
  return { outcome: 'failed', why: 'the key was sent, but the question is still there' };
}

// A dialog swallows keys in its first moments (at 100 ms 1 of 14 took effect, from 200 ms on all of them).
async function settledQuestion(pane: PaneDoor) {
  const first = await lookAt(pane);
  if (first.question === null) return first;
  await sleep(SETTLE_MS);
  return lookAt(pane);
}

async function lookAt(pane: PaneDoor) {
  const view = await pane.look();
  if (view === null) return { question: null, holder: null, isTyping: false };
  const isTyping = newestPatterns.typingRow.test(plainText(view.text, { keepNewlines: true }));
  return { question: readQuestion(view.text), holder: view.holder, isTyping };
}
