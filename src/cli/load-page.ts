// Everything that is left of an execution, gathered for its page: report, events, status, request, transcripts and
// the handoffs of its sessions. What cannot be read is left out and told as unknown by the page.

import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { agentThresholds } from '../engine/agent-thresholds.ts';
import { findExecution } from '../engine/find-execution.ts';
import { readEvents, readReport, readStatus } from '../engine/read-execution.ts';
import { exists, readJson } from '../files/write-file.ts';
import type { PageSource } from '../pages/page.ts';
import { HandoffRecord } from '../protocol/handoff.ts';
import { ExecutionReport } from '../protocol/report.ts';
import { ExecutionRequest } from '../protocol/request.ts';
import { foldEvents } from '../run/run-state.ts';
import { placesIn } from '../run/workspace-places.ts';
import { watchdogPlaces } from '../watching/watchdog-places.ts';
import { readCurves } from './page-curves.ts';

export async function loadPage(ref: string, now: number): Promise<PageSource> {
  const workspace = await workspaceOf(ref);
  const events = await readEvents(workspace).catch(() => []);
  const state = foldEvents(events);
  const request = state?.request ?? (await readRequest(workspace));
  const report = await readReport(workspace);
  const curves = await readCurves({ workspace, request, state, report });
  const sessions = new Set(curves.map(curve => curve.session));
  return {
    workspace,
    report,
    state,
    status: await readStatus(workspace).catch(() => null),
    request,
    curves,
    thresholds: request === null ? new Map() : await agentThresholds(request, workspace),
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

async function readHandoffs(): Promise<HandoffRecord[]> {
  const folder = path.join(watchdogPlaces().state, 'handoffs');
  const names = (await readdir(folder).catch(() => [])).filter(name => name.endsWith('.json'));
  const read = await Promise.all(names.map(name => readJson(path.join(folder, name), HandoffRecord).catch(() => null)));
  return read.filter(record => record !== null);
}
