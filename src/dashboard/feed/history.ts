// How full each session was over time: what its transcripts tell of the past, then every new reading.

import { agentTranscripts } from '../../claude/agent-transcripts.ts';
import { readUsages } from '../../receipts/read-transcript.ts';
import type { Point } from '../model/seen.ts';

const MOST_POINTS = 240;

export type Past = { workspace: string; name: string; attempt: number; sessions: readonly string[] };

export type Histories = {
  points: ReadonlyMap<string, readonly Point[]>;
  add(key: string, tokens: number, at: number): void;
  // Once for each agent: reading transcripts costs, so one after the other.
  seed(key: string, agent: Past): void;
};

export function keepHistories(changed: () => void): Histories {
  const points = new Map<string, Point[]>();
  const seeded = new Set<string>();
  let reading: Promise<void> = Promise.resolve();

  return {
    points,
    add(key, tokens, at) {
      const list = points.get(key) ?? [];
      if (list.at(-1)?.tokens === tokens) return;
      points.set(key, thin([...list, { at, tokens }]));
    },
    seed(key, agent) {
      const { attempt } = agent;
      const once = `${key}\u0000${attempt}`;
      if (attempt === 0 || seeded.has(once)) return;
      seeded.add(once);
      reading = reading.then(async () => {
        const past = await readPast(agent).catch(() => []);
        if (past.length === 0) return;
        const later = (points.get(key) ?? []).filter(({ at }) => at > past.at(-1)!.at);
        points.set(key, thin([...past, ...later]));
        changed();
      });
    },
  };
}

async function readPast({ workspace, name, attempt, sessions }: Past): Promise<Point[]> {
  const files = await agentTranscripts(workspace, name, { attempts: attempt, told: sessions });
  const usages = await Promise.all([...files.values()].map(file => readUsages(file).catch(() => [])));
  const all = usages.flat().flatMap(({ tokens, time }) => (time === null ? [] : [{ at: time, tokens }]));
  return all.sort((a, b) => a.at - b.at).filter((point, at) => point.tokens !== all[at - 1]?.tokens);
}

// Every second point of the older half goes, unless it stands beside a drop.
function thin(list: Point[]): Point[] {
  if (list.length <= MOST_POINTS) return list;
  const half = Math.floor(list.length / 2);
  return list.filter((point, at) => {
    const next = list[at + 1]?.tokens ?? point.tokens;
    const before = list[at - 1]?.tokens ?? point.tokens;
    return at >= half || at % 2 === 0 || next < point.tokens / 2 || point.tokens < before / 2;
  });
}
