// A pane that exists on paper only: receipts, a status record and a transcript as Claude Code and its hooks write
// them, and no tmux behind it. The real follower reads them; a handoff of it ends as that of a pane that is gone.

import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import type { HandoffRecord } from '../../src/protocol/handoff.ts';
import type { PaneStatus } from '../../watchdog/pane-status.ts';
import { openSlots } from '../../watchdog/slots.ts';
import { watchPane } from '../../watchdog/watch-pane.ts';
import type { WatchedPane } from '../../watchdog/watched-pane.ts';
import { tempFolder } from '../files/temp-folder.ts';
import { until } from './cycle-world.ts';

export function paperPane(o: { settings?: object; pane?: Partial<WatchedPane> } = {}) {
  const folder = tempFolder();
  const at = (...parts: string[]) => path.join(folder, ...parts);
  for (const name of ['work', 'state', 'channel']) mkdirSync(at(name));
  writeFileSync(at('work', 'baton.json'), JSON.stringify({ context_threshold: 60_000, ...o.settings }));
  const pane: WatchedPane = {
    key: 'k',
    identity: { socket: at('no-server'), pane: '%0', pid: 1 },
    name: 'paper of exec-1',
    kind: 'engine',
    role: 'agent',
    folder: at('work'),
    channel: {
      receipts: at('channel', 'receipts.ndjson'),
      record: at('channel', 'record.json'),
      blockCompact: at('channel', 'block'),
      order: at('channel', 'order'),
    },
    contract: null,
    workspace: null,
    documentPath: null,
    task: null,
    agent: null,
    cap: at('channel', 'cap'),
    maxCostUsd: null,
    costs: null,
    lacks: [],
    ...o.pane,
  };
  const transcript = (session: string) => at('channel', `${session}.jsonl`);
  const told: PaneStatus[] = [];
  const [alerts, said]: [string[], string[]] = [[], []];

  const paper = {
    at,
    pane,
    told,
    alerts,
    said,
    receipt: (event: string, session: string, more: object = {}) =>
      appendFileSync(
        pane.channel!.receipts,
        `${JSON.stringify({
          payload: { session_id: session, transcript_path: transcript(session), ...more },
          event,
          tool: null,
          pane: '%0',
          session_id: session,
        })}\n`,
      ),
    shows(session: string, tokens: number | null) {
      const context_window = {
        total_input_tokens: tokens ?? 0,
        context_window_size: 1_000_000,
        current_usage: tokens === null ? null : {},
      };
      writeFileSync(pane.channel!.record, `${JSON.stringify({ session_id: session, context_window })}\n`);
    },
    replies(session: string, tokens: number, time = Date.now()) {
      const usage = { input_tokens: tokens, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };
      const message = { id: 'm', role: 'assistant', model: 'practice', usage: { ...usage, output_tokens: 1 } };
      const timestamp = new Date(time).toISOString();
      const line = { type: 'assistant', sessionId: session, timestamp, message: { ...message, content: [] } };
      appendFileSync(transcript(session), `${JSON.stringify(line)}\n`);
    },
    watch() {
      const stop = new AbortController();
      const watch = watchPane(pane, {
        state: at('state'),
        signal: stop.signal,
        slots: openSlots(),
        tell: status => void told.push(status),
        say: line => void said.push(line),
        alert: async (_, text) => void alerts.push(text),
      });
      onTestFinished(() => end());
      const end = (): Promise<void> => {
        stop.abort();
        paper.receipt('Notification', 's1'); // wakes it
        return watch.done;
      };
      return { ...watch, stop: end };
    },
    records: (): HandoffRecord[] =>
      existsSync(at('state', 'handoffs'))
        ? readdirSync(at('state', 'handoffs'))
            .filter(name => name.endsWith('.json'))
            .map(name => JSON.parse(readFileSync(at('state', 'handoffs', name), 'utf8')))
        : [],
    keepRecord(more: Partial<HandoffRecord>) {
      const time = '2026-11-18T10:00:00.000Z';
      const record: HandoffRecord = {
        version: 1,
        id: 'h-old',
        pane: pane.name,
        reason: 'context threshold',
        outcome: 'closed',
        why: '',
        started_at: time,
        ended_at: time,
        steps: {},
        session_before: 's0',
        session_after: 's1',
        tokens_before: null,
        tokens_after: null,
        written_by: null,
        commit: null,
        archived: [],
        notes: [],
        ...more,
      };
      mkdirSync(at('state', 'handoffs'), { recursive: true });
      const file = at('state', 'handoffs', `${record.id}.json`);
      writeFileSync(`${file}.new`, JSON.stringify(record));
      renameSync(`${file}.new`, file); // as the watchdog writes it
    },
  };
  return paper;
}

export type PaperPane = ReturnType<typeof paperPane>;

// A session with two sources that agree on this figure.
export function fill(paper: PaperPane, session: string, tokens: number): void {
  paper.replies(session, tokens, Date.now() - 60_000);
  paper.shows(session, tokens);
  paper.receipt('SessionStart', session, { source: 'startup' });
  paper.receipt('UserPromptSubmit', session, { prompt: 'work' });
  paper.receipt('Stop', session);
}

// The follower has looked this often since, and knew this session.
export async function looked(paper: PaperPane, times: number, session = 's1'): Promise<void> {
  const from = paper.told.length;
  const count = () => paper.told.slice(from).filter(({ session_id }) => session_id === session).length;
  for (let n = 1; n <= times; n += 1) {
    paper.receipt('Notification', session, { message: 'look' });
    await until(() => count() >= n, 15_000, 'a look of the follower');
  }
}
