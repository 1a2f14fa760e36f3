import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { documentLines } from '../../src/cli/document-lines.ts';
import { htmlPage } from '../../src/pages/html-page.ts';
import { markdownPage } from '../../src/pages/markdown-page.ts';
import { buildPage } from '../../src/pages/page.ts';
import { Event } from '../../src/protocol/event.ts';
import type { HandoffRecord } from '../../src/protocol/handoff.ts';
import { foldEvents } from '../../src/run/run-state.ts';
import { cellWidth } from '../../src/text/cell-width.ts';
import { colourless } from '../../src/text/paint.ts';
import { expectHarmless, hostile, START, sampleSource } from './sample-page.ts';

const page = buildPage(sampleSource());

test('unknown stays unknown: a cost that nobody told is not zero, and a sum says how many are missing', () => {
  const text = markdownPage(page);
  expect(text).toContain('Cost: $0.2500 and 1 unknown.');
  expect(text).toMatch(/\| build \| done \| 2 \| 0:30 \| 21\.5k \| unknown \|/);
  expect(text).toMatch(/\| shell \| failed \| 1 \| 0:20 \| - \| - \|/);
  expect(page.unknowns.join('\n')).toContain('The cost is unknown of: build');
  expect(page.unknowns.join('\n')).toContain('nobody checked: plan (good)');
});

test('paths in the workspace are told from there', () => {
  expect(markdownPage(page)).toContain('Output out: outputs/plan.txt');
  expect(markdownPage(page)).toContain('plan at merge/kept/1');
});

test('a report without its request and events says what that makes unknown', () => {
  const alone = buildPage(sampleSource('fine', { request: null, curves: [] }));
  expect(alone.unknowns.join('\n')).toMatch(
    /request is gone[\s\S]*events are gone[\s\S]*No context curve is known of: plan, build/,
  );
  expect(htmlPage(alone)).not.toContain('<h2>Context</h2>');
});

test('the HTML has one bar for each attempt, one box for each agent, one edge for each need, one curve for each session', () => {
  const text = htmlPage(page);
  const count = (piece: string) => text.split(piece).length - 1;
  expect(count('class="bar ')).toBe(4);
  expect(count('class="box ')).toBe(3);
  expect(count('class="edge"')).toBe(1);
  expect(count('class="curve"')).toBe(2);
});

test('a curve has a line where the handoff fires, and a diamond where one ended', () => {
  const ended_at = new Date(START + 10_000).toISOString();
  const record = { session_before: 's1', ended_at, outcome: 'closed', tokens_before: 95_000, tokens_after: 8000 };
  const handed = buildPage(sampleSource('fine', { handoffs: [record as HandoffRecord] }));
  const text = htmlPage(handed);
  expect(text.match(/class="limit"/g)).toHaveLength(1);
  expect(text).toContain('plan, handoff at 90.0k');
  expect(text.match(/class="mark"/g)).toHaveLength(2); // on the timeline and on the curve
  expect(text).toContain('handoff done: 95.0k to 8.0k tokens');
  expect(markdownPage(handed)).toContain('- Handoff done: 95.0k to 8.0k tokens');
  const far = buildPage(sampleSource('fine', { thresholds: new Map([['plan', 900_000]]) }));
  expect(htmlPage(far)).not.toContain('class="limit"'); // it would make the curve a flat line
  expect(htmlPage(far)).toContain('plan, handoff at 900k');
});

test('the HTML fetches nothing and runs nothing, and its policy says so', () => {
  const text = htmlPage(page);
  const [, style] = /<style>([\s\S]*?)<\/style>/.exec(text)!;
  const hash = createHash('sha256').update(style!).digest('base64');
  expect(text).toContain(
    `content="default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'"`,
  );
  expect(text).not.toMatch(/<script|<link|<img|<iframe|\son\w+=|\sstyle=|href=|src=|url\(|@import/i);
  expect(text).toContain('prefers-color-scheme:dark');
});

test('an execution that runs has a page from its events: attempts without an end, and no made-up result', () => {
  const { request } = sampleSource();
  const at = (seconds: number) => new Date(START + seconds * 1000).toISOString();
  const logs = { stdout: 'o', stderr: 'e' };
  const events = [
    {
      id: 1,
      time: at(0),
      type: 'execution_started',
      agent: null,
      data: { request, request_sha256: 'x', workspace_root: '/w', allow_roots: [], trusted: [] },
    },
    { id: 2, time: at(1), type: 'phase_entered', agent: null, data: { phase: 'execute' } },
    { id: 3, time: at(2), type: 'attempt_started', agent: 'plan', data: { attempt: 1, session: 's', logs } },
  ].map(each => Event.parse(each));
  const running = buildPage(
    sampleSource('fine', { report: null, state: foldEvents(events), curves: [], now: START + 12_000 }),
  );
  expect(running).toMatchObject({ status: 'running', endedAt: null, merge: null });
  expect(running.agents.map(each => [each.name, each.status, each.costUsd])).toEqual([
    ['plan', 'running', null],
    ['build', 'pending', null],
    ['shell', 'pending', null],
  ]);
  expect(markdownPage(running)).toMatch(
    /running for 0:12[\s\S]*\| plan \| running \| 1 \| 0:10 \|[\s\S]*Not reached yet[\s\S]*not over/,
  );
  expect(htmlPage(running)).toContain('class="bar running"');
  // A report of before a retry is no report of what runs now.
  const again = buildPage(sampleSource('fine', { state: foldEvents(events) }));
  expect(again.status).toBe('running');
});

const bad = buildPage(sampleSource(hostile));

test('hostile text stays text in the HTML page', () => {
  const text = htmlPage(bad);
  expectHarmless(text);
  const tags = [...new Set([...text.matchAll(/<\/?([a-zA-Z!][\w-]*)/g)].map(([, name]) => name!.toLowerCase()))];
  const known = [
    '!doctype',
    'html',
    'head',
    'meta',
    'title',
    'style',
    'body',
    'main',
    'h1',
    'h2',
    'h3',
    'span',
    'p',
    'dl',
    'div',
    'dt',
    'dd',
    'section',
    'ul',
    'li',
    'code',
    'b',
    'svg',
    'line',
    'text',
    'rect',
    'path',
    'g',
    'figure',
    'figcaption',
    'polyline',
    'circle',
    'table',
    'thead',
    'tbody',
    'tr',
    'th',
    'td',
  ];
  expect(tags.filter(tag => !known.includes(tag))).toEqual([]);
  const attributes = [...text.matchAll(/<[a-z1-3]+((?:\s+[\w:-]+="[^"]*")*)\s*\/?>/g)].flatMap(([, all]) =>
    [...all!.matchAll(/([\w:-]+)=/g)].map(([, name]) => name!),
  );
  expect(attributes.filter(name => /^on|^href$|^src$/.test(name))).toEqual([]);
  expect(text.length).toBeLessThan(400_000);
});

test('hostile text stays text in the Markdown, piped and on a terminal of 80 and of 40 columns', () => {
  const text = markdownPage(bad);
  expectHarmless(text);
  expect(text).not.toMatch(/(?<!\\)<(script|img|iframe|b)/);
  expect(text).not.toMatch(/(?<!\\)\]\(/);
  expect(text).not.toMatch(/https?:\/\//);
  for (const width of [80, 40]) {
    const lines = documentLines(text, width, colourless);
    expectHarmless(lines.join('\n'));
    const long = lines.filter(line => cellWidth(line) > width && line.includes(' ') && !/x{100}|\S{20}/.test(line));
    expect(long).toEqual([]);
  }
});

test('a page has a readable form on a terminal: no escapes left, tables as columns', () => {
  const lines = documentLines(markdownPage(buildPage(sampleSource('a_b|c'))), 80, colourless);
  expect(lines.join('\n')).toContain('Summary: a_b|c');
  expect(lines.join('\n')).toMatch(/Agent +State +Tries +Time +Context +Cost/);
});
