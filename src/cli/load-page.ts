// Everything that is left of an execution, gathered for its page: report, events, status, request, transcripts and
// the handoffs of its sessions. What cannot be read is left out and told as unknown by the page.

import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { sessionPlaces } from '../claude/session-places.ts';
import { findExecution } from '../engine/find-execution.ts';
import { readEvents, readReport, readStatus } from '../engine/read-execution.ts';
import { exists, readJson } from '../files/write-file.ts';
import type { ContextCurve, PageSource } from '../pages/page.ts';
import { HandoffRecord } from '../protocol/handoff.ts';
import { ExecutionReport } from '../protocol/report.ts';
import { ExecutionRequest } from '../protocol/request.ts';
import { readUsages } from '../receipts/read-transcript.ts';
import { readReceipts } from '../receipts/receipt-tail.ts';
import { foldEvents, type RunState } from '../run/run-state.ts';
import { placesIn } from '../run/workspace-places.ts';
import { watchdogPlaces } from '../watching/watchdog-places.ts';

export async function loadPage(ref: string, now: number): Promise<PageSource> {
  const workspace = await workspaceOf(ref);
  const events = await readEvents(workspace).catch(() => []);
  const state = foldEvents(events);
  const request = state?.request ?? (await readRequest(workspace));
  const curves = await curvesOf(workspace, request?.agents.map(agent => agent.agent_name) ?? [], state);
  const sessions = new Set(curves.map(curve => curve.session));
  return {
    workspace,
    report: await readReport(workspace),
    state,
    status: await readStatus(workspace).catch(() => null),
    request,
    curves,
    handoffs: (await readHandoffs()).filter(each => sessions.has(each.session_before)),
    now,
  };
}

// An execution that was cleaned is known by nobody, but its report still lies in its folder.
async function workspaceOf(ref: string): Promise<string> {
  const place = path.resolve(ref);
  const isFile = await stat(place).then(
    stats => stats.isFile(),
    () => false,
  );
  const folder = isFile ? path.dirname(place) : place;
  if ((isFile || !(await exists(placesIn(folder).events))) && (await exists(placesIn(folder).report))) {
    await readJson(isFile ? place : placesIn(folder).report, ExecutionReport);
    return folder;
  }
  return (await findExecution(ref)).workspace;
}

const readRequest = (workspace: string): Promise<ExecutionRequest | null> =>
  readJson(placesIn(workspace).request, ExecutionRequest).catch(() => null);

async function curvesOf(workspace: string, agents: readonly string[], state: RunState | null): Promise<ContextCurve[]> {
  const curves: ContextCurve[] = [];
  for (const agent of agents) {
    const run = state?.agents.get(agent);
    const attempts = (run?.attempts.length ?? 0) + (run !== undefined && 'now' in run.state ? 1 : 0);
    for (const [session, file] of await transcriptsOf(workspace, agent, Math.max(1, attempts))) {
      const points = (await readUsages(file).catch(() => [])).flatMap(({ time, tokens }) =>
        time === null ? [] : [{ at: time, tokens }],
      );
      if (points.length > 0) curves.push({ agent, session, points });
    }
  }
  return curves;
}

// Copies in the workspace first; where a session has none (it runs, or came before a /clear), what its hooks named.
async function transcriptsOf(workspace: string, agent: string, attempts: number): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const { transcripts } = sessionPlaces(workspace, agent, 1);
  for (const name of await readdir(transcripts).catch(() => []))
    if (name.endsWith('.jsonl')) found.set(name.slice(0, -'.jsonl'.length), path.join(transcripts, name));
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    const { receipts } = sessionPlaces(workspace, agent, attempt);
    for (const { receipt } of await readReceipts(receipts).catch(() => [])) {
      const { session_id: id, transcript_path: file } = receipt;
      if (id !== null && file !== null && path.basename(file) === `${id}.jsonl` && !found.has(id)) found.set(id, file);
    }
  }
  return found;
}

async function readHandoffs(): Promise<HandoffRecord[]> {
  const folder = path.join(watchdogPlaces().state, 'handoffs');
  const names = (await readdir(folder).catch(() => [])).filter(name => name.endsWith('.json'));
  const read = await Promise.all(names.map(name => readJson(path.join(folder, name), HandoffRecord).catch(() => null)));
  return read.filter(record => record !== null);
}
