// An execution to make pages of, and texts that try everything a page or a terminal could obey.

import type { PageSource } from '../../src/pages/page.ts';
import { ExecutionReport } from '../../src/protocol/report.ts';
import { ExecutionRequest } from '../../src/protocol/request.ts';
import { noMerge } from '../../src/run/build-report.ts';

export const START = Date.parse('2026-01-02T10:00:00Z');
const iso = (seconds: number) => new Date(START + seconds * 1000).toISOString();

export const hostile = [
  '\u001b]52;c;ZXZpbA==\u0007copied',
  '\u001b]0;owned title\u0007titled',
  '\u001b[2J\u001b[H\u001b[31mred',
  '\u202egnp.exe\u2066hidden\u200b',
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  '</style></svg><iframe src="javascript:alert(1)">',
  '[click](javascript:alert(1)) ![x](http://evil.example/x.png) <b>bold</b> http://evil.example',
  '| cell | `code` **bold** # head',
  `${'x'.repeat(1024 * 1024)}END`,
  '\u009b31m\u0090q\u009c c1',
].join(' ');

// What must never come out of any face.
export function expectHarmless(text: string): void {
  const bad = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]/.exec(text);
  if (bad !== null)
    throw new Error(
      `U+${bad[0].codePointAt(0)!.toString(16)} at ${bad.index}: ${JSON.stringify(text.slice(Math.max(0, bad.index - 30), bad.index + 30))}`,
    );
}

export const claude = (cost: number | null) => ({
  version: '2.1.326',
  permission_mode: 'acceptEdits',
  session_ids: ['s1'],
  nudges: 0,
  restarts: 0,
  parked_seconds: 0,
  context_tokens: 21_500,
  cost_usd: cost,
  transcripts: [],
  continuations: 0,
  chain: null,
});

export function sampleReport(text = 'fine', changes: Partial<ExecutionReport> = {}): ExecutionReport {
  const logs = { stdout: '/w/out', stderr: '/w/err' };
  const attempt = (n: number, status: 'success' | 'failure', from: number, to: number) => ({
    attempt: n,
    status,
    reason: status === 'success' ? null : text,
    tmux_session: null,
    start_time: iso(from),
    end_time: iso(to),
    duration_seconds: to - from,
    exit_code: 0,
    signal: null,
    logs,
  });
  const agent = (name: string, more: object) => ({
    agent_name: name,
    status: 'success' as const,
    reason: null,
    tmux_session: null,
    start_time: iso(0),
    end_time: iso(20),
    duration_seconds: 20,
    exit_code: 0,
    outputs_produced: { out: `/w/outputs/${name}.txt` },
    success_criteria_met: { good: true },
    success_criteria_evidence: { good: 'reported' as const },
    logs,
    metrics: {},
    summary: text,
    files_modified: [text],
    commits_made: [],
    claude: claude(0.25),
    attempts: [attempt(1, 'success', 0, 20)],
    ...more,
  });
  return ExecutionReport.parse({
    execution_id: 'exec-1',
    status: 'partial_success',
    start_timestamp: iso(0),
    end_timestamp: iso(60),
    duration_seconds: 60,
    agents: [
      agent('plan', {}),
      agent('build', {
        attempts: [attempt(1, 'failure', 20, 30), attempt(2, 'success', 31, 50)],
        claude: claude(null),
      }),
      agent('shell', { claude: null, status: 'failure', reason: text }),
    ],
    merge_result: {
      ...noMerge(text),
      status: 'success',
      merged_files: ['a'],
      resolutions: [
        {
          conflict: 'c-1',
          path: text,
          rule: 'saw_all',
          chosen: 'build',
          discarded: [{ agent: 'plan', sha256: 'x', kept_at: '/w/merge/kept/1' }],
        },
      ],
      findings: [{ check: 'schema_validation', severity: 'warning', message: text, source: null }],
    },
    errors: [{ agent: null, message: text }],
    warnings: [{ agent: 'plan', message: text, severity: 'low' }],
    ...changes,
  });
}

export function sampleSource(text = 'fine', changes: Partial<PageSource> = {}): PageSource {
  const agent = (agent_name: string, dependencies: string[]) => ({
    agent_name,
    agent_path: '/a',
    task: { description: text.slice(0, 90_000).replaceAll('\0', ''), success_criteria: { good: true } },
    dependencies,
  });
  return {
    report: sampleReport(text),
    state: null,
    status: null,
    request: ExecutionRequest.parse({
      execution_id: 'exec-1',
      workspace_root: '/w',
      agents: [agent('plan', []), agent('build', ['plan']), agent('shell', [])],
    }),
    curves: [
      {
        agent: 'plan',
        session: 's1',
        points: [
          { at: START + 1000, tokens: 20_000 },
          { at: START + 9000, tokens: 95_000 },
        ],
      },
      { agent: 'plan', session: 's2', points: [{ at: START + 12_000, tokens: 8000 }] },
    ],
    thresholds: new Map([['plan', 90_000]]),
    handoffs: [],
    workspace: '/w',
    now: START + 61_000,
    ...changes,
  };
}
