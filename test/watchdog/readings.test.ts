// What the watchdog takes for the present context of a pane: figures of the present session that do not contradict.

import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { SessionEar } from '../../src/claude/session-ear.ts';
import { contradict, tokensNow } from '../../watchdog/readings.ts';
import type { WatchedPane } from '../../watchdog/watched-pane.ts';
import { tempFolder } from '../files/temp-folder.ts';

const at = Date.parse('2026-11-18T10:00:00Z');

// What the status line and the transcript say, each of its session.
function paneWith(o: { shown: number; shownOf?: string; replied: number }) {
  const folder = tempFolder();
  mkdirSync(folder, { recursive: true });
  const [record, transcript] = [path.join(folder, 'record.json'), path.join(folder, 't.jsonl')];
  const context_window = { total_input_tokens: o.shown, context_window_size: 1_000_000, current_usage: {} };
  writeFileSync(record, `${JSON.stringify({ session_id: o.shownOf ?? 's1', context_window })}\n`);
  const usage = { input_tokens: o.replied, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };
  const line = {
    type: 'assistant',
    sessionId: 's1',
    timestamp: new Date(at).toISOString(),
    message: { id: 'm', role: 'assistant', model: 'practice', usage: { ...usage, output_tokens: 1 }, content: [] },
  };
  writeFileSync(transcript, `${JSON.stringify(line)}\n`);
  const pane = { channel: { record } } as unknown as WatchedPane;
  const state = () => ({ sessionId: 's1', sessionSince: at - 1000 });
  return { pane, ear: { state, transcript: () => transcript } as unknown as SessionEar };
}

test('two figures that agree count, two that contradict each other say nothing', async () => {
  expect(await tokensNow(paneWith({ shown: 160_000, replied: 159_000 }), Date.now())).toBe(160_000);
  expect(await tokensNow(paneWith({ shown: 160_000, replied: 20_000 }), Date.now())).toBeNull();
  expect(await tokensNow(paneWith({ shown: 20_000, replied: 160_000 }), Date.now())).toBeNull();
  expect([contradict(null, 5), contradict(100, 124), contradict(100, 126)]).toEqual([false, false, true]);
});

test('the figure of another session is none of this one, however high', async () => {
  expect(await tokensNow(paneWith({ shown: 900_000, shownOf: 's0', replied: 20_000 }), Date.now())).toBe(20_000);
});
