// Handoffs whose pane went while no watchdog ran: nobody follows such a pane any more, so their journals are ended
// here, with a record and an alert, as the handoff would have done by itself. Nothing is typed, nothing is committed.

import { mkdir, readdir, rename } from 'node:fs/promises';
import path from 'node:path';
import { writeJson } from '../src/files/write-file.ts';
import type { HandoffState } from '../src/handoff/handoff-types.ts';
import { end } from '../src/handoff/turns.ts';
import { openJournal } from './journal.ts';

// One look may meet a server that is just being replaced.
const PROOFS_OF_END = 3;

export type OrphanOptions = { state: string; say(line: string): void; alert(key: string, text: string): Promise<void> };

export function openOrphanage({ state, say, alert }: OrphanOptions) {
  const missed = new Map<string, number>();
  const journals = path.join(state, 'journals');

  // `isHere`: the pane of this key was seen just now, or is still followed.
  async function look(isHere: (key: string) => boolean): Promise<void> {
    const names = await readdir(journals).catch(() => []);
    for (const name of names.filter(each => each.endsWith('.ndjson'))) {
      const key = path.basename(name, '.ndjson');
      const times = isHere(key) ? 0 : (missed.get(key) ?? 0) + 1;
      missed.set(key, times);
      if (times < PROOFS_OF_END) continue;
      // One that is spoilt keeps no other from its end.
      await close(path.join(journals, name)).catch(async error =>
        alert(`journal/${name}`, String(error.message ?? error)),
      );
    }
  }

  async function close(file: string): Promise<void> {
    const last = (await openJournal(file).read()).at(-1);
    if (last === undefined) return;
    const was = last.state as unknown as HandoffState;
    const { handoff } = was;
    const { effects } =
      was.name === 'ended'
        ? end(handoff, was.how, was.why, was.endedAt)
        : end(handoff, 'agent_gone', `it went while "${was.name}", and no watchdog saw it`, Date.now());
    const done = path.join(journals, 'done');
    for (const folder of [done, path.join(state, 'handoffs')]) await mkdir(folder, { recursive: true });
    for (const effect of effects) {
      if (effect.do === 'alert') await alert(effect.key, effect.text);
      if (effect.do === 'record') await writeJson(path.join(state, 'handoffs', `${handoff.id}.json`), effect.record);
    }
    await rename(file, path.join(done, `${handoff.id}.ndjson`));
    say(`${handoff.pane}: handoff ${handoff.id} is over: its pane is gone`);
  }

  return { look };
}
