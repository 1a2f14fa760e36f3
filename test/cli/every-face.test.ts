// Every face shows a hostile execution, project and input: nothing of it is obeyed, and a line of a megabyte holds
// nothing up.

import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { promptLines } from '../../src/cli/prompt-lines.ts';
import { watchdogLines } from '../../src/cli/watchdog-lines.ts';
import { colourless } from '../../src/text/paint.ts';
import { patience } from './cli-world.ts';
import { controlsIn, evil, makeHostileWorld } from './hostile-world.ts';

vi.setConfig(patience);
const world = makeHostileWorld();
const { at } = world;
afterAll(() => world.end());

test('the control bytes of others are found, and our own are not', () => {
  expect(controlsIn('\u001b[31mred\u001b[39m\r\n')).toBeNull();
  for (const bad of ['\u001b[41m', '\u001b[2J', '\u0007', '\u009b', '\u202e', '\u001b[8m', '\u001b]0;x\u0007', '\r x'])
    expect(controlsIn(`a${bad}`), JSON.stringify(bad)).not.toBeNull();
});

beforeAll(async () => {
  const run = world.openTerminal(['run', world.request()]);
  await run.sees(/▶|✔|✖/);
  const watch = world.start(['status', 'bad', '--watch']);
  const code = await run.ended;
  expect(code).not.toBe(1);
  expect(run.seen.text).toContain('fails');
  expect(controlsIn(run.seen.text, true)).toBeNull();
  const watched = await watch.ended;
  expect(watched.stdout).toContain('fails');
  expect(controlsIn(watched.stdout + watched.stderr)).toBeNull();
  world.beginAsking();
});

const hostile = evil.replaceAll('\0', ''); // no argument can hold it
const own = ['--dir', world.project];
const faces: [string[], RegExp | null][] = [
  [['status', 'bad'], /fails/],
  [['status', 'asking'], /agent-00/],
  [['status', 'asking', '--json'], null],
  [['list'], /asking/],
  [['prompts'], null],
  [['logs', 'bad/left'], /last words/],
  [['logs', 'bad/fails', '--stderr'], /last words/],
  [['report', 'bad'], /fails/],
  [['report', 'bad', '--json'], /fails/],
  [['report', 'asking'], /agent-00/],
  [['explain', 'bad'], /never/],
  [['cost'], /unknown|not known/],
  [['diff', 'bad/left'], /same\.txt/],
  [['conflicts', 'bad'], /same\.txt/],
  [['conflicts', 'bad', '--json'], /same\.txt/],
  [['handoff', 'show', ...own], /last words/],
  [['archive', 'list', ...own], /2025-01-20/],
  [['archive', 'show', 'HANDOFF-2025-01-20-1430', ...own], /last words/],
  [['archive', 'diff', 'HANDOFF-2025-01-20-1430', 'current', ...own], null],
  [['config', at('unset')], /baton\.json/],
  [['config', world.project], /context_threshold/],
  [['validate', at('shape.json')], /agents/],
  [['validate', at('no-utf8.json')], /UTF-8/],
  [['validate', at('no-json.json')], /line 1/],
  [['validate', at('pack.ctxp')], null],
  [['explain', at('shape.json')], null],
  [['run', '--quiet', '--request', at('no-json.json')], /line 1/],
  [['watchdog', 'status'], null],
  [['doctor'], /node/],
  [['report', hostile], null],
  [['logs', `bad/${hostile}`], null],
  [[hostile], null],
  [['status', `--${hostile}`], null],
  [['new', 'request', at('new.json'), '--agent', `${hostile}=x`], null],
];

const nameOf = (argv: readonly string[]) =>
  argv.map(word => word.replace(hostile, 'HOSTILE').split('/').at(-1)).join(' ');

test.each(faces.map(face => [nameOf(face[0]), ...face] as const))(
  '`baton %s` obeys nothing on a terminal',
  async (_, argv, wanted) => {
    const face = world.openTerminal(argv);
    await face.ended;
    if (wanted !== null) expect(face.seen.text).toMatch(wanted);
    expect(face.seen.text.length).toBeGreaterThan(0);
    expect(controlsIn(face.seen.text)).toBeNull();
  },
);

test('neither do the faces of a live engine and of a live watchdog, whatever they are told', () => {
  const frame = { now: Date.now(), width: 60, paint: colourless };
  const at = new Date().toISOString();
  const prompt = {
    kind: 'question' as const,
    title: evil,
    options: [{ number: 1, label: evil }],
    digest: 'abcdef0123456789',
    asked_at: at,
    execution_id: 'e',
    agent_name: 'a',
    pane: '%1',
    held_by: evil,
    answer: 'baton answer',
  };
  const pane = {
    socket: evil,
    pane: '%7',
    agent: evil,
    session_id: evil,
    tokens: 1,
    threshold: 2,
    handoff: evil,
    paused: evil,
    lacks: [evil],
  };
  const health = { version: 1 as const, pid: 1, started_at: at, heartbeat_at: at, paused_until: null };
  const status = { ...health, panes: [pane], last_error: { at, message: evil } };
  for (const lines of [promptLines([prompt], frame), watchdogLines(status as never, frame)]) {
    expect(lines.length).toBeGreaterThan(1);
    expect(controlsIn(lines.join('\n'))).toBeNull();
  }
});

test('in a pipe neither', async () => {
  const piped = faces.filter(([argv]) =>
    /^(logs bad.left|report bad$|diff|archive show|validate .*json)/.test(argv.join(' ')),
  );
  for (const [argv, wanted] of piped) {
    const { stdout, stderr } = await world.run(...argv);
    if (wanted !== null) expect(stdout + stderr).toMatch(wanted);
    expect(controlsIn(stdout + stderr), nameOf(argv)).toBeNull();
  }
});

test('a report page neither', async () => {
  expect((await world.run('report', 'bad', at('page.html'), '--html')).code).toBe(0);
  const page = readFileSync(at('page.html'), 'utf8');
  expect(controlsIn(page)).toBeNull();
  expect(page).not.toMatch(/<script|owned|evil\.example/);
  expect(page.length).toBeLessThan(1_000_000);
});

test('the dashboard neither, in any zoom and on any page', async () => {
  const dash = world.openTerminal(['dashboard']);
  await dash.sees(/really\?/);
  const steps: [string, RegExp][] = [
    ['/left\r', /left/], // the one with a conflict
    ['\r', /left\S* {2}bad/],
    ['l', /last words/],
    ['\u001b', /left\S* {2}bad/],
    ['d', /same\.txt/],
    ['\u001b', /left\S* {2}bad/],
    ['m', /c-[0-9a-f]{8}/],
    ['\u001b', /left\S* {2}bad/],
    ['r', /Agents/],
    ['\u001b', /left\S* {2}bad/],
    ['\u001b', /AGENT STATE/],
    ['\t', /never/],
    ['?', /hand off now/],
  ];
  let all = '';
  for (const [keys, wanted] of steps) {
    all += dash.seen.text;
    dash.seen.text = '';
    dash.type(keys);
    await dash.sees(wanted, 40_000);
  }
  dash.type('q');
  dash.type('q');
  await dash.ended;
  expect(controlsIn(all + dash.seen.text, true)).toBeNull();
});
