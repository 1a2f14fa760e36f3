// Step 7: the document in a commit that carries this handoff's id, proven by looking for it. Pure.

import { commitMessage } from './handoff-prompts.ts';
import type { Decision, Handoff, HandoffState, Moment, Rules, Seen } from './handoff-types.ts';
import { toFallback } from './step-ask.ts';
import { end, filesOf, go, isValid, NO_ROOM, noted, patient, proven, stay, waiting } from './turns.ts';

type At<N extends HandoffState['name']> = Extract<HandoffState, { name: N }>;

const MOST_TRIES = 5; // each waits longer than the one before: a lock of git's may stand for a minute

export function toCommit(handoff: Handoff, seen: Seen, at: number, rules: Rules, tries = 1): Decision {
  if (seen.commit !== null) return toCommitted(handoff, seen, at);
  if (!rules.autoCommit) {
    const text = `auto_commit is false: commit ${rules.documentPath} with the trailer "Handoff-Id: ${handoff.id}", and ${handoff.pane} goes on`;
    return go(
      { name: 'awaiting_commit', ...waiting(handoff, at) },
      { do: 'alert', key: `${handoff.id}/awaiting_commit`, text },
    );
  }
  const files = filesOf(handoff, rules);
  const message = commitMessage(handoff.id);
  return go({ name: 'committing', tries, ...waiting(handoff, at) }, { do: 'commit', id: handoff.id, files, message });
}

function toCommitted(handoff: Handoff, seen: Seen, at: number): Decision {
  const { commit } = seen;
  const told =
    commit !== null && commit.place !== 'branch'
      ? noted(
          handoff,
          `committed to ${commit.place === 'ref' ? 'a ref of its own' : "Baton's own repository"}: ${commit.why ?? 'the project could not take it'}`,
        )
      : handoff;
  return go({ name: 'committed', ...waiting(proven({ ...told, commit }, 'committed', at), at) });
}

export function committing(now: At<'committing'>, seen: Seen, at: number, rules: Rules): Decision {
  const { handoff } = now;
  if (seen.commit !== null) return toCommitted(handoff, seen, at);
  if (!isValid(seen.document)) return changedBadly(handoff, seen, at);
  if (now.waitedMs < rules.limits.commitRetryMs * now.tries) return stay(now);
  if (now.tries >= MOST_TRIES) return end(handoff, 'commit_failed', `no commit after ${now.tries} tries`, at);
  return toCommit(handoff, seen, at, rules, now.tries + 1);
}

export function awaitingCommit(
  now: At<'awaiting_commit'>,
  seen: Seen,
  rules: Rules,
  { at, hasRoom }: Moment,
): Decision {
  const { handoff } = now;
  if (!hasRoom) return patient(now, NO_ROOM, rules);
  if (seen.commit !== null) return toCommitted(handoff, seen, at);
  if (now.waitedMs >= rules.limits.userCommitMs)
    return end(handoff, 'commit_awaited', `${rules.documentPath} is written and not committed`, at);
  return patient(now, `nobody has committed ${rules.documentPath} yet`, rules);
}

// The document was good and is not any more. Bounded: each time counts as an update.
export function changedBadly(handoff: Handoff, seen: Seen, at: number): Decision {
  if (handoff.updates >= MOST_UPDATES)
    return end(handoff, 'document_failed', 'somebody keeps changing the document', at);
  return toFallback(
    { ...handoff, updates: handoff.updates + 1 },
    'the document was spoilt after it was written',
    seen,
    at,
  );
}

export const MOST_UPDATES = 3;
