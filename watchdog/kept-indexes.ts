// Which indexes handoffs have begun, and when each is to be written anew between handoffs and after the last one:
// when an agent ended, asks or is parked. On the disk, so that an execution that ends while no watchdog runs counts.

import path from 'node:path';
import { readJson, writeJson } from '../src/files/write-file.ts';
import { indexShape, isRefreshDue } from '../src/handoff/index-document.ts';
import { isFinal } from '../src/handoff/worker-book.ts';
import { type KeptIndex, KeptIndexes } from '../src/protocol/workers.ts';
import type { Workers } from './workers.ts';

const MOST_KEPT = 200;

export type KeptOptions = {
  state: string;
  workers: Pick<Workers, 'ofExecution'>;
  // Written anew, and committed where `commit` says so. gone: it is nobody's any more; later: not now.
  write(kept: KeptIndex): Promise<'done' | 'uncommitted' | 'gone' | 'later'>;
};

export function openKept(o: KeptOptions) {
  const file = path.join(o.state, 'indexes.json');
  const changed = new Map<string, { shape: string; at: number }>();
  const written = new Map<string, number>();
  let loaded: Promise<Map<string, KeptIndex>> | null = null;

  const load = () => {
    loaded ??= readJson(file, KeptIndexes)
      .catch(() => null)
      .then(known => new Map((known?.indexes ?? []).map(kept => [kept.place, kept])));
    return loaded;
  };
  const save = async () => {
    const indexes = [...(await load()).values()].slice(-MOST_KEPT);
    await writeJson(file, { version: 1, indexes }, { mode: 0o600 });
  };
  const workersOf = (workspaces: readonly string[]) =>
    workspaces.flatMap(workspace => o.workers.ofExecution(workspace).workers);

  return {
    // A handoff writes it now. The executions it is to tell of: those that are not over, and the agent's own.
    async begin(place: string, workspace: string): Promise<string[]> {
      const before = (await load()).get(place)?.workspaces ?? [];
      const others = before.filter(each => each !== workspace && !workersOf([each]).every(isFinal));
      return [...others, workspace];
    },
    async wrote(place: string, workspaces: string[], commit: boolean): Promise<void> {
      (await load()).set(place, { place, workspaces, commit, shape: indexShape(workersOf(workspaces)) });
      await save();
    },
    async look(now = performance.now()): Promise<void> {
      const indexes = await load();
      for (const kept of [...indexes.values()]) {
        const workers = workersOf(kept.workspaces);
        const shape = indexShape(workers);
        if (shape === kept.shape) {
          changed.delete(kept.place);
          continue;
        }
        const was = changed.get(kept.place);
        const at = was?.shape === shape ? was.at : now;
        changed.set(kept.place, { shape, at });
        const writtenAgoMs = now - (written.get(kept.place) ?? Number.NEGATIVE_INFINITY);
        if (!isRefreshDue({ isOver: workers.every(isFinal), changedForMs: now - at, writtenAgoMs })) continue;
        const how = await o.write(kept);
        if (how === 'later') continue;
        written.set(kept.place, now);
        if (how === 'gone' || workers.length === 0) indexes.delete(kept.place);
        else indexes.set(kept.place, { ...kept, shape, commit: kept.commit && how === 'done' });
        await save();
      }
    },
  };
}
