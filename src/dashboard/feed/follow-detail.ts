// Everything about one agent while somebody looks at it: files are read again when its execution changed, its pane
// is captured when it was seen to move.

import { stat } from 'node:fs/promises';
import path from 'node:path';
import { followEvents } from '../../engine/read-execution.ts';
import type { AttemptOutcome, Event } from '../../protocol/event.ts';
import type { ExecutionRequest } from '../../protocol/request.ts';
import { wasMet } from '../../run/judge-attempt.ts';
import { watchScreen } from '../../tmux/attach-pty.ts';
import { capturePane } from '../../tmux/capture-pane.ts';
import { buildRows, type Row } from '../model/agent-row.ts';
import type { Detail, DetailCheck } from '../model/detail.ts';
import type { Seen } from '../model/seen.ts';
import { attemptsOf, storyOf } from '../model/story.ts';
import { coalesce } from './coalesce.ts';
import { followHandoffs } from './read-handoffs.ts';

const CAPTURE_MS = 250;

export type Follow = { look(seen: Seen): void; close(): void };

export function followDetail(key: string, tell: (detail: Detail) => void): Follow {
  let detail: Detail = { key, request: null, outputs: [], checks: [], attempts: [], story: [], pane: null };
  let row: Row | null = null;
  let watched: { pane: string; stop(): void } | null = null;
  let isOver = false;
  let news: ReturnType<typeof followEvents> | null = null;
  let events: Event[] = []; // of this agent, and the request
  const handoffs = followHandoffs();

  // Only what was added since the last look is read.
  async function readDetail({ workspace, name, execution, who }: Row): Promise<Partial<Detail>> {
    if (workspace === null) return { story: storyOf([], '', await handoffs(who)) };
    news ??= followEvents(workspace);
    const added = news();
    const meant = added.events.filter(({ agent, type }) => agent === name || type === 'execution_started');
    events = added.isWhole ? meant : [...events, ...meant];
    const request = requestOf(events)?.agents.find(({ agent_name }) => agent_name === name) ?? null;
    return {
      request,
      outputs: await outputsOf(request, workspace),
      checks: checksOf(request, outcomeOf(events, name)),
      attempts: attemptsOf(events, name),
      story: storyOf(events, name, await handoffs(`${name} of ${execution}`)),
    };
  }

  const change = (next: Partial<Detail>) => {
    if (isOver) return;
    detail = { ...detail, ...next };
    tell(detail);
  };
  const capture = coalesce(() => {
    if (row === null || row.pane === null || isOver) return;
    capturePane(row.socket, row.pane).then(
      ({ text }) => text !== detail.pane && change({ pane: text }),
      () => {}, // gone between two looks: the status tells
    );
  }, CAPTURE_MS);
  const read = coalesce(() => {
    if (row !== null) void readDetail(row).then(change, () => {});
  }, 1000);

  return {
    look(seen) {
      row = buildRows(seen).find(each => each.key === key) ?? null;
      read();
      const pane = row?.pane ?? null;
      if (pane === (watched?.pane ?? null)) return;
      watched?.stop();
      watched = row === null || pane === null ? null : { pane, stop: watchScreen(row.socket, pane, capture) };
      capture();
    },
    close() {
      isOver = true;
      capture.cancel();
      read.cancel();
      watched?.stop();
    },
  };
}

function requestOf(events: readonly Event[]): ExecutionRequest | null {
  const first = events.find(event => event.type === 'execution_started');
  return first?.type === 'execution_started' ? first.data.request : null;
}

function outcomeOf(events: readonly Event[], agent: string): AttemptOutcome | null {
  const last = events.findLast(event => event.type === 'attempt_ended' && event.agent === agent);
  return last?.type === 'attempt_ended' ? last.data.outcome : null;
}

async function outputsOf(request: Detail['request'], workspace: string): Promise<Detail['outputs']> {
  const wanted = Object.entries(request?.task.outputs ?? {});
  return Promise.all(
    wanted.map(async ([name, file]) => {
      const isThere = await stat(path.resolve(workspace, file)).then(
        () => true,
        () => false,
      );
      return { name, path: file, isThere };
    }),
  );
}

function checksOf(request: Detail['request'], outcome: AttemptOutcome | null): DetailCheck[] {
  return Object.entries(request?.task.success_criteria ?? {}).map(([name, wanted]) => ({
    name,
    wanted: String(wanted),
    found: String(outcome?.success_criteria_met[name] ?? '?'),
    evidence: outcome?.success_criteria_evidence[name] ?? 'not checked yet',
    isMet: outcome === null ? null : wasMet(name, wanted, outcome),
  }));
}
