// Where the curves of a page come from: also headless sessions, whose transcripts only Claude Code itself keeps.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { readCurves } from '../../src/cli/page-curves.ts';
import { agentThresholds } from '../../src/engine/agent-thresholds.ts';
import { ExecutionRequest } from '../../src/protocol/request.ts';
import { placesIn } from '../../src/run/workspace-places.ts';
import { sampleReport } from './sample-page.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync('/tmp/bpc-');
  vi.stubEnv('CLAUDE_CONFIG_DIR', path.join(folder, 'claude'));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

const at = (...parts: string[]) => path.join(folder, ...parts);
const request = () =>
  ExecutionRequest.parse({
    execution_id: 'e',
    workspace_root: folder,
    agents: [
      { agent_name: 'plan', agent_path: folder, task: { description: 'x' } },
      { agent_name: 'build', agent_path: folder, task: { description: 'x' } },
    ],
  });

test('a session that left neither copy nor hook is found where Claude Code keeps it; one that nobody has is left out', async () => {
  const report = sampleReport('fine');
  const [id, nobodys] = ['s-own', 's-gone'];
  report.agents[0]!.claude!.session_ids = [id];
  report.agents[1]!.claude!.session_ids = [nobodys];
  mkdirSync(at('claude', 'projects', '-p'), { recursive: true });
  const record = (tokens: number, second: number) =>
    JSON.stringify({
      type: 'assistant',
      timestamp: `2026-01-02T10:00:0${second}.000Z`,
      sessionId: id,
      message: { id: `m${second}`, role: 'assistant', model: 'm', usage: { input_tokens: tokens, output_tokens: 0 } },
    });
  writeFileSync(at('claude', 'projects', '-p', `${id}.jsonl`), `${record(1000, 1)}\n${record(2000, 2)}\n`);
  const curves = await readCurves({ workspace: folder, request: request(), state: null, report });
  expect(curves.map(({ agent, session, points }) => [agent, session, points.map(point => point.tokens)])).toEqual([
    ['plan', id, [1000, 2000]],
  ]);
});

test('the threshold of a Claude Code agent is that of its own project and name; others have none', async () => {
  mkdirSync(at('project'), { recursive: true });
  const settings = { context_threshold: 70_000, agents: { build: { context_threshold: 50_000 } } };
  writeFileSync(at('project', 'baton.json'), JSON.stringify(settings));
  expect([...(await agentThresholds(request(), folder))]).toEqual([]); // nothing is left of it
  mkdirSync(path.dirname(placesIn(folder).configs), { recursive: true });
  writeFileSync(
    placesIn(folder).configs,
    JSON.stringify({
      plan: { provider: 'command', command: ['true'], cwd: at('project') },
      build: { provider: 'claude', cwd: at('project') },
    }),
  );
  expect([...(await agentThresholds(request(), folder))]).toEqual([['build', 50_000]]);
});
