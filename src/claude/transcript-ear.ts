// An ear for a pane without hooks: its session by the file Claude Code keeps about itself, everything else by the
// transcript of that session. Later than receipts, and deaf for dialogs and for what leaves no line.

import { type FSWatcher, watch } from 'node:fs';
import path from 'node:path';
import { heardNothing } from '../conversation/heard.ts';
import { type LineCursor, openLineCursor } from '../receipts/line-cursor.ts';
import type { TranscriptRecord } from '../receipts/transcript-facts.ts';
import { beginSession, hearLine, type ReadSession, type ReadTurn } from './hear-transcript.ts';
import type { SessionEar } from './session-ear.ts';
import { findTranscript, type RegisteredSession, sessionOfPane } from './session-register.ts';

export type TranscriptEarOptions = { config: string; panePid: number; now: () => number; onSign?: () => void };

// Changes are told by the file system; this finds what it did not tell.
const SWEEP_MS = 1000;

export async function openTranscriptEar(o: TranscriptEarOptions): Promise<SessionEar> {
  let known: RegisteredSession | null = null;
  let session: ReadSession | null = null;
  const past: ReadTurn[] = []; // of the sessions before
  let file: string | null = null;
  let lines: LineCursor | null = null;
  let mark = { turns: 0, signs: 0, sessionId: null as string | null };
  let told = 0;
  let looking: Promise<void> = Promise.resolve();
  const watched = new Map<string, FSWatcher>();

  // One after the other; whoever waits for it gets a look that began after the asking.
  const refresh = (): Promise<void> => {
    looking = looking.then(look).catch(() => {}); // what cannot be read now may be at the next look
    return looking;
  };
  async function look(): Promise<void> {
    const now = await sessionOfPane({ config: o.config, panePid: o.panePid, known });
    listenTo(path.join(o.config, 'sessions'), name => known === null || name === `${known.pid}.json`);
    if (now === null) return noteEnd();
    if (session?.heard.sessionId !== now.sessionId) await begin(now);
    if (session?.heard.sessionId === now.sessionId) known = now;
    await readOn();
  }
  function noteEnd(): void {
    known = null;
    if (session === null || session.heard.endedBy !== null) return;
    session = { ...session, heard: { ...session.heard, isOpen: false, endedBy: 'other' } };
    o.onSign?.();
  }
  async function begin(now: RegisteredSession): Promise<void> {
    const found = await findTranscript(o.config, now.sessionId);
    const isSameProcess = session !== null && known?.pid === now.pid;
    // A cleared session is proven by both: its new id, and its own transcript.
    if (isSameProcess && found === null) return;
    past.push(...(session?.turns ?? []));
    session = beginSession(now.sessionId, isSameProcess ? session!.heard : null, o.now());
    file = null;
    lines = null;
    told = 0;
    o.onSign?.();
  }
  async function readOn(): Promise<void> {
    if (session === null) return;
    file ??= await findTranscript(o.config, session.heard.sessionId!);
    if (file === null) return; // written with the first prompt
    const folder = path.dirname(file);
    const own = path.basename(file);
    listenTo(folder, name => name === own);
    lines ??= openLineCursor(file);
    const fresh = await lines.take();
    for (const { text } of fresh) {
      const record = recordOf(text);
      if (record !== null) session = hearLine(session, record, o.now());
    }
    if (fresh.length > 0) o.onSign?.();
  }
  function listenTo(folder: string, isOurs: (name: string) => boolean): void {
    if (watched.has(folder)) return;
    try {
      const watcher = watch(folder, { persistent: false }, (_, name) => {
        if (name === null || isOurs(String(name))) void refresh();
      });
      watcher.on('error', () => {
        watcher.close();
        watched.delete(folder);
      });
      watched.set(folder, watcher);
    } catch {
      // not there yet: the sweep comes by again
    }
  }

  await refresh();
  const sweep = setInterval(() => void refresh(), SWEEP_MS);
  const turns = () => session?.turns ?? [];
  const isSame = (prompt: string, text: string) => prompt.trim() === text.trim();
  const echo = () => ({ sessionId: session?.heard.sessionId ?? null, proof: 'transcript' as const });
  const silent = heardNothing(o.now());

  return {
    state: () => session?.heard ?? silent,
    transcript: () => file,
    permission: () => null,
    isTurnOpen: () => session?.heard.isOpen ?? false,
    said: text => (turns().some(turn => turn.isFollowed && isSame(turn.prompt, text)) ? echo() : null),
    took: (line: string) =>
      [...past, ...turns()].some(turn => turn.isFollowed && turn.prompt.split('\n').includes(line)),
    newPrompts() {
      const fresh = turns().slice(told);
      told = turns().length;
      const { sessionId } = echo();
      const head = { pane: null, session_id: sessionId, transcript_path: file, prompt_id: null, agent_id: null };
      return fresh.map(({ prompt }) => ({ event: 'UserPromptSubmit' as const, ...head, prompt }));
    },
    turns,
    async mark() {
      await refresh();
      mark = { turns: turns().length, signs: session?.signs ?? 0, sessionId: echo().sessionId };
    },
    async heard(text) {
      await refresh();
      const { sessionId } = echo();
      const since = sessionId === mark.sessionId ? turns().slice(mark.turns) : turns();
      return since.some(turn => isSame(turn.prompt, text)) ? echo() : null;
    },
    hasBegun: () => (session?.signs ?? 0) > (echo().sessionId === mark.sessionId ? mark.signs : 0),
    close() {
      clearInterval(sweep);
      for (const watcher of watched.values()) watcher.close();
    },
  };
}

function recordOf(text: string): TranscriptRecord | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as TranscriptRecord) : null;
  } catch {
    return null;
  }
}
