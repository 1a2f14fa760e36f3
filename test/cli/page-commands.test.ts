// report, explain, cost, diff and new as a person runs them: one small execution with hostile agents.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { expectHarmless } from '../pages/sample-page.ts';
import { makeCliWorld, patience } from './cli-world.ts';

vi.setConfig(patience);
const world = makeCliWorld();
afterAll(() => world.end());

const evil = `printf '\\033]52;c;ZXZpbA==\\007<script>alert(1)</script>\\033[2J\\342\\200\\256evil'`;
const hostileAgent = `${evil} >"$BATON_OUTPUT_OUT"; printf '{"status":"success","summary":"\\\\u001b]0;x\\\\u0007<img src=x onerror=y>"}' >"$BATON_RESULT_FILE"`;

beforeAll(async () => {
  const file = world.request('page', [
    { name: 'first', script: hostileAgent },
    { name: 'second', script: `${evil} >&2; exit 3`, needs: ['first'], inputs: { given: 'outputs/first.txt' } },
  ]);
  expect((await world.run('run', file, '-q')).code).toBe(3);
});

test('report tells the page as Markdown, as HTML and as it is, and nothing hostile gets through', async () => {
  const markdown = await world.run('report');
  expect(markdown.code).toBe(0);
  expectHarmless(markdown.stdout);
  expect(markdown.stdout).toMatch(/^# page: partial success\n/);
  expect(markdown.stdout).toContain('| second | failed |');
  expect(markdown.stdout).toContain('`baton retry page second`');
  expect(markdown.stdout).toMatch(/Programs of their own, whose cost Baton does not know: first, second/);
  const laidOut = (await world.run('report', 'page', '--laid-out')).stdout;
  expectHarmless(laidOut);
  expect(laidOut).toMatch(/^page: partial success\n/);
  expect(laidOut).not.toMatch(/\| second \||\\_/);
  expect((await world.run('report', 'page', '--html')).stdout.trim()).toBe(world.at('page', 'ws', 'report.html'));
  const html = readFileSync(world.at('page', 'ws', 'report.html'), 'utf8');
  expectHarmless(html);
  expect(html).not.toMatch(/<script|<img/);
  expect(html).toContain('&lt;img src=x onerror=y&gt;');
  expect((await world.run('report', 'page', world.at('x.html'), '--html')).code).toBe(0);
  expect(existsSync(world.at('x.html'))).toBe(true);
  const raw = await world.run('report', 'page', '--json');
  expect(JSON.parse(raw.stdout)).toEqual(world.report('page'));
  expectHarmless(raw.stdout);
});

test('explain draws a request and an execution, and says what would be refused', async () => {
  const request = world.at('page', 'request.json');
  const plan = await world.run('explain', request);
  expect(plan).toMatchObject({ code: 0, stderr: '' });
  expect(plan.stdout).toContain('●    first\n╰─●  second\n');
  expect(plan.stdout).toContain('reads given: outputs/first.txt (made by first)');
  expect((await world.run('explain', 'page')).stdout).toContain('╰─●  second  ✖ failed');
  const value = JSON.parse(readFileSync(request, 'utf8'));
  value.agents[1].dependencies = ['frist'];
  writeFileSync(world.at('bad.json'), JSON.stringify(value));
  const bad = await world.run('explain', world.at('bad.json'));
  expect(bad.code).toBe(2);
  expect(bad.stdout).toMatch(/would be refused: \d problems?/);
  expect(bad.stdout).toContain('did you mean "first"');
});

test('cost says that other programs have no known cost', async () => {
  const { code, stdout } = await world.run('cost', 'page');
  expect([code, stdout]).toEqual([
    0,
    'total: unknown; no attempt of Claude Code is known\n2 attempts of other programs: what they cost is not known.\n',
  ]);
  expect(JSON.parse((await world.run('cost', '--json')).stdout)).toMatchObject({
    total: { cost_usd: null },
    other_programs: 2,
  });
  expect((await world.run('cost', '--by', 'colour')).code).toBe(2);
});

test('diff shows what an agent made, cleaned', async () => {
  const { code, stdout } = await world.run('diff', 'page/first');
  expect(code).toBe(0);
  expectHarmless(stdout);
  expect(stdout).toContain('--- first.txt (new, +1 -0)\n+<script>alert(1)</script>evil\n');
  const told = JSON.parse((await world.run('diff', 'page/second', '--json')).stdout);
  expect(told.places).toEqual([
    { place: world.at('page', 'ws', 'outputs', 'second.txt'), since: 'it began', files: [] },
  ]);
  expect((await world.run('diff', 'first', '--attempt', '7')).code).toBe(2);
});

test('a new request is checked, runs as it is, and is never written over', async () => {
  const file = world.at('new', 'request.json');
  mkdirSync(world.at('new'));
  const given = [
    '--agent',
    'plan=Plan it.',
    '--agent',
    'build=Build it.',
    '--needs',
    'build=plan',
    '--provider',
    'command',
    '--id',
    'made',
  ];
  const made = await world.run('new', 'request', file, ...given);
  expect(made).toMatchObject({ code: 0, stderr: '' });
  expect(made.stdout).toContain('then: baton run --request new/request.json');
  expect((await world.run('run', file, '-q')).code).toBe(0);
  const before = readFileSync(file, 'utf8');
  expect((await world.run('new', 'request', file, '--agent', 'x=y')).code).toBe(6);
  expect(readFileSync(file, 'utf8')).toBe(before);
  const wrong = await world.run(
    'new',
    'request',
    world.at('new', 'other.json'),
    '--agent',
    'a=do',
    '--needs',
    'a=ghost',
  );
  expect(wrong.code).toBe(2);
  expect(wrong.stderr).toContain('nothing was written');
  expect(existsSync(world.at('new', 'other.json'))).toBe(false);
  expect(existsSync(world.at('new', 'agents', 'a'))).toBe(false);
  expect((await world.run('new', 'request', world.at('new', 'asks.json'))).code).toBe(6); // nobody to ask
  expect((await world.run('new', 'agent', 'plan')).code).toBe(0);
  expect((await world.run('new', 'agent', 'plan')).code).toBe(6);
});
