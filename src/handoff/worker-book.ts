// What happened to the workers between two looks: the book with its events, each numbered once. Pure.

import type { Worker, WorkerBook, WorkerEvent } from '../protocol/workers.ts';

// Old ones go first; the end of a worker is the last thing to be forgotten.
const MOST_EVENTS = 1000;

export const newBook = (at: string): WorkerBook => ({
  version: 1,
  begun_at: at,
  last_n: 0,
  workers: [],
  events: [],
});

export const isFinal = (worker: Pick<Worker, 'state'>): boolean =>
  ['success', 'failure', 'timeout', 'skipped', 'gone'].includes(worker.state);

// `seen` are all workers there are; one that is missing was looked for and is not there any more.
// `ends`: how handoffs that are over went, by their id.
export function noteWorkers(
  book: WorkerBook,
  seen: readonly Worker[],
  at: string,
  ends: ReadonlyMap<string, string> = new Map(),
): WorkerBook {
  const before = new Map(book.workers.map(worker => [worker.key, worker]));
  const isNews = (worker: Worker) =>
    before.has(worker.key) || !isFinal(worker) || (worker.ended_at ?? '') >= book.begun_at;
  const known = seen.filter(isNews);
  const told: Omit<WorkerEvent, 'n'>[] = [];
  const tell = (worker: Worker, text: string, is_end = false) =>
    told.push({ at, key: worker.key, name: worker.name, folder: worker.folder, text, is_end });
  for (const worker of known) {
    const was = before.get(worker.key) ?? null;
    for (const text of changes(was, worker, ends)) tell(worker, text);
    if (isFinal(worker) && (was === null || !isFinal(was) || was.attempt !== worker.attempt))
      tell(worker, endText(worker), true);
  }
  const keys = new Set(seen.map(({ key }) => key));
  for (const was of book.workers) if (!keys.has(was.key) && !isFinal(was)) tell(was, 'is not there any more', true);
  if (told.length === 0 && JSON.stringify(known) === JSON.stringify(book.workers)) return book;
  const fresh = told.map((event, index) => ({ n: book.last_n + index + 1, ...event }));
  return { ...book, last_n: book.last_n + fresh.length, workers: known, events: kept([...book.events, ...fresh]) };
}

function changes(was: Worker | null, now: Worker, ends: ReadonlyMap<string, string>): string[] {
  const handed = was?.handoff ?? null;
  const texts: string[] = isFinal(now) ? [] : steps(was, now);
  if (handed !== null && now.handoff !== handed)
    texts.push(`its handoff ${handed} is over${ends.has(handed) ? `: ${ends.get(handed)}` : ''}`);
  if (now.handoff !== null && now.handoff !== handed) texts.push(`is being handed over (${now.handoff})`);
  return texts;
}

function steps(was: Worker | null, now: Worker): string[] {
  const texts: string[] = [];
  const isNewAttempt = was !== null && now.attempt > was.attempt && was.attempt > 0;
  if (isNewAttempt) texts.push(`began attempt ${now.attempt}`);
  if (now.question !== null && now.question.digest !== was?.question?.digest)
    texts.push(`asks (${now.question.kind}): ${now.question.title}`);
  if (was?.state === now.state || now.state === 'asking' || now.state === 'pending') return texts;
  if (now.state === 'parked') texts.push(`is parked${now.note === null ? '' : `: ${now.note}`}`);
  else if (now.state === 'unattended') texts.push('has no engine any more: `baton resume` goes on with its execution');
  else if (was === null || was.state === 'pending') texts.push('began');
  else if (!isNewAttempt) texts.push(isFinal(was) ? 'began again' : 'goes on');
  return texts;
}

const endText = ({ state, note }: Worker): string =>
  state === 'gone' ? 'is not there any more' : `ended: ${state}${note === null ? '' : `: ${note}`}`;

function kept(events: WorkerEvent[]): WorkerEvent[] {
  if (events.length <= MOST_EVENTS) return events;
  const surplus = events.length - MOST_EVENTS;
  const small = new Set(
    events
      .filter(event => !event.is_end)
      .slice(0, surplus)
      .map(({ n }) => n),
  );
  return events.filter(({ n }) => !small.has(n)).slice(-MOST_EVENTS);
}

// What every orchestrator was told is only history.
export function forgotten(book: WorkerBook, told: number, history = 50): WorkerBook {
  const cut = Math.max(0, book.events.length - history);
  const events = book.events.filter(({ n }, index) => n > told || index >= cut);
  return events.length === book.events.length ? book : { ...book, events };
}
