// Steps 4, 5 and 6: a document of this handoff that passes the check, from the agent or, failing that, from the
// watchdog; and the archive for one that is too long or would be overwritten. Pure.

import type { Decision, DocumentProblem, Handoff, HandoffState, Rules, Seen, SeenDocument } from './handoff-types.ts';
import { archive, ask, order, toFallback, writeFallback } from './step-ask.ts';
import { toCommit } from './step-commit.ts';
import { end, isHard, isQuiet, isValid, mustBeKept, noted, patient, proven, stay } from './turns.ts';

type At<N extends HandoffState['name']> = Extract<HandoffState, { name: N }>;

const MOST_MESSAGES = 12; // of one handoff: an API that fails for ever is not asked for ever
const MOST_TRIES = 4;
const MOST_ARCHIVES = 8;

export function writing(now: At<'writing'>, seen: Seen, at: number, rules: Rules): Decision {
  const { handoff, purpose } = now;
  const { limits } = rules;
  const isLate = now.waitedMs >= limits.writeMs;
  // An Esc, a lost hook: the turn is over when the pane is provably quiet, whatever is still missing.
  const isOver = seen.said === 'ended' || (seen.said !== 'open' && isQuiet(seen, isHard(seen, handoff, rules)));
  if (!isOver) {
    if (!isLate) return patient(now, `the agent works on the document (${purpose})`, rules);
    return toFallback(handoff, `it did not end its turn in ${Math.round(limits.writeMs / 60_000)} min`, seen, at);
  }
  const { document } = seen;
  if (document !== null && isValid(document) && document.hash !== handoff.documentBefore) {
    if (document.lines > rules.sizeThreshold && !handoff.shortened)
      return archive({ ...handoff, shortened: true }, { next: 'shorter', why: '' }, seen, at);
    return accept(handoff, document.isWatchdogs ? 'watchdog' : 'agent', seen, at, rules);
  }
  if (seen.isFull) return toFallback(handoff, 'its context is full: it takes no prompt any more', seen, at);
  if (seen.trouble !== null && handoff.messages < MOST_MESSAGES) return afterTrouble(now, seen, at, rules);
  const problems = problemsOf(handoff, document, rules);
  const first = problems[0]?.problem ?? 'no document';
  if (handoff.corrections >= 1) return toFallback(handoff, `also after a correction: ${first}`, seen, at);
  return ask('correction', { ...handoff, corrections: 1 }, seen, at, rules, problems);
}

function afterTrouble(now: At<'writing'>, seen: Seen, at: number, rules: Rules): Decision {
  const until = seen.trouble?.until ?? null;
  if (now.waitedMs < rules.limits.troubleMs || (until !== null && at < until)) return stay(now);
  return ask('again', noted(now.handoff, `the API failed: ${seen.trouble?.why ?? ''}`), seen, at, rules, []);
}

function problemsOf(handoff: Handoff, document: SeenDocument | null, rules: Rules): readonly DocumentProblem[] {
  if (document === null) return [{ section: null, problem: `there is no file at ${rules.documentPath}` }];
  if (document.hash === handoff.documentBefore)
    return [{ section: null, problem: 'it was not changed since you were asked' }, ...document.problems];
  return document.problems;
}

export function accept(handoff: Handoff, author: 'agent' | 'watchdog', seen: Seen, at: number, rules: Rules): Decision {
  const known = proven({ ...handoff, author }, author === 'agent' ? 'written' : 'fallback', at);
  return toCommit(known, seen, at, rules);
}

export function fallback(now: At<'fallback'>, seen: Seen, at: number, rules: Rules): Decision {
  const { document } = seen;
  // The one that was there before this was asked for is not newer by being valid.
  if (document !== null && isValid(document) && document.hash !== now.handoff.documentBefore) {
    const author = document.isWatchdogs ? 'watchdog' : 'agent';
    const known =
      author === 'watchdog' ? noted(now.handoff, `the watchdog wrote the document: ${now.why}`) : now.handoff;
    return accept(known, author, seen, at, rules);
  }
  if (now.waitedMs < rules.limits.settleMs) return stay(now);
  if (now.tries >= MOST_TRIES)
    return end(now.handoff, 'document_failed', `${now.why}; ${document?.problems[0]?.problem ?? 'no file'}`, at);
  // Somebody wrote in between: their bytes go to the archive too.
  if (document !== null && mustBeKept(document))
    return archive(now.handoff, { next: 'fallback', why: now.why }, seen, at, now.tries + 1);
  return writeFallback(now.handoff, now.why, now.tries + 1, seen, at);
}

function archivedAs({ handoff, archive: { unfit } }: At<'archiving'>, file: string): Handoff {
  const known = { ...handoff, archived: [...handoff.archived, file] };
  if (!unfit) return known;
  return noted({ ...known, unfit: [...(handoff.unfit ?? []), file] }, `${file} is in no commit: ${unfit}`);
}

export function archiving(now: At<'archiving'>, seen: Seen, at: number, rules: Rules): Decision {
  if (seen.archiveHash !== now.archive.hash) {
    if (now.waitedMs < rules.limits.settleMs) return stay(now);
    if (now.tries >= MOST_TRIES)
      return end(now.handoff, 'archive_failed', `${now.archive.to} could not be written`, at);
    // It may have changed since it was measured: planned anew, under a free name.
    return archive(now.handoff, { next: now.next, why: now.why }, seen, at, now.tries + 1);
  }
  const file = `${rules.archiveDir.replace(/\/+$/, '')}/${now.archive.to}`;
  const handoff = proven(archivedAs(now, file), 'archived', at);
  if (handoff.archived.length > MOST_ARCHIVES)
    return end(handoff, 'document_failed', 'somebody keeps writing the document at the same time', at);
  // Looked at anew: what was put there since the copy was made is not in it.
  if (seen.pane === 'gone')
    return toFallback({ ...handoff, reason: 'error recovery' }, now.why || 'Claude Code ended', seen, at);
  switch (now.next) {
    case 'fallback':
      return toFallback(handoff, now.why, seen, at);
    case 'shorter':
      return ask('shorter', { ...handoff, documentBefore: now.archive.hash }, seen, at, rules, []);
    // It is measured once: what somebody puts there now is the agent's to read.
    case 'ask':
      return ask('handoff', handoff, { ...seen, document: null }, at, rules, []);
    case 'order':
      return order(handoff, { ...seen, document: null }, at, rules);
    default: {
      const missed: never = now.next;
      return missed;
    }
  }
}
