// The four commands as a person runs them: a process of its own, real files, real git.

import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { makeCliWorld, patience } from '../cli/cli-world.ts';

vi.setConfig(patience);
const world = makeCliWorld();
afterAll(world.end);

const git = (...args: string[]) => execFileSync('git', args, { cwd: world.at('p'), encoding: 'utf8' }).trimEnd();
const document = () => world.at('p', 'docs', 'HANDOFF.md');

beforeAll(() => {
  mkdirSync(world.at('p'));
  git('init', '-q', '-b', 'main');
  git('config', 'user.name', 'Somebody');
  git('config', 'user.email', 'somebody@example.org');
});

test('init says what it did, and the second time that nothing was to do', async () => {
  const first = await world.run('init', world.at('p'));
  expect(first).toMatchObject({ code: 0, stderr: '' });
  expect(first.stdout).toContain('created  docs/HANDOFF.md\n');
  const second = await world.run('init', world.at('p'));
  expect(second.stdout).toMatch(/kept {5}CLAUDE\.md: has our section already\n[\s\S]*nothing was to do\n$/);
  const json = JSON.parse((await world.run('init', world.at('p'), '--dry-run', '--remove', '--json')).stdout);
  expect(json).toMatchObject({ folder: world.at('p'), dry_run: true });
  expect(json.steps.map((step: { deed: string }) => step.deed)).toEqual(Array(5).fill('remove'));
});

test('archive, its list, its diff and restore tell what happened and where it was committed', async () => {
  git('add', '.');
  git('commit', '-q', '-m', 'ready');
  const empty = await world.run('archive', '--dir', world.at('p'));
  expect(empty).toMatchObject({ code: 6, stderr: expect.stringContaining('still the empty template') });
  writeFileSync(document(), readFileSync(document(), 'utf8').replace('<task description>', 'make tea'));
  const { stdout } = await world.run('archive', '--dir', world.at('p'));
  const [, name] = /^archived as (HANDOFF-[\d-]+\.md); docs\/HANDOFF\.md is fresh/.exec(stdout)!;
  expect(stdout).toContain(`committed on the branch: ${git('rev-parse', '--short=12', 'HEAD')}`);
  expect((await world.run('archive', 'list', '--dir', world.at('p'))).stdout).toBe(`${name}  37 lines\n`);
  const diff = await world.run('archive', 'diff', 'current', name!, '--dir', world.at('p'));
  expect(diff.stdout).toContain('- - [ ] <task description>\n+ - [ ] make tea\n');
  const back = await world.run('archive', 'restore', name!, '--dir', world.at('p'), '--json');
  expect(JSON.parse(back.stdout)).toMatchObject({ archived: null, commit: { place: 'branch' } });
  expect((await world.run('archive', 'show', name!, '--dir', world.at('p'))).stdout).toBe(
    readFileSync(document(), 'utf8'),
  );
});

test.each([
  [['archive', 'lst'], 'did you mean "list"?'],
  [['archive', 'show'], 'takes 1 name'],
  [['archive', 'diff', 'current'], 'takes 2 names'],
  [['archive', 'list', 'x'], 'takes no name'],
  [['archive', 'show', 'nothing'], 'no archived handoff is called "nothing"'],
  [['handoff', 'shw'], 'did you mean "show"?'],
  [['handoff', 'nobody-at-all'], 'no execution has an agent "nobody-at-all"'],
  [['handoff', '%99'], '%99 is not watched'],
])('%j is refused with a hint', async (args, hint) => {
  const { code, stderr } = await world.run(...args, '--dir', world.at('p'));
  expect(code).toBe(2);
  expect(stderr).toContain(hint);
});

test('handoff show lets no control sequence and no secret through', async () => {
  writeFileSync(
    document(),
    '# State\x1b[2J\x1b]52;c;ZXZpbA==\x07\n\ntoken: ghp_abcdefghijklmnopqrstuvwxyz0123456789\n\u202eevil\n',
  );
  const { stdout, code } = await world.run('handoff', 'show', '--dir', world.at('p'));
  expect(code).toBe(0);
  expect(stdout).toContain('# State\n');
  expect(stdout).not.toMatch(/[\x1b\x07\u202e]|ghp_abc/);
  const json = JSON.parse((await world.run('handoff', 'show', '--dir', world.at('p'), '--json')).stdout);
  expect(json).toMatchObject({ path: 'docs/HANDOFF.md', text: stdout });
});

test('config shows each value with its source, the parts of agents and the danger of compaction', async () => {
  const settings = { context_threshold: 120_000, agents: { slow: { context_threshold: 170_000, auto_commit: false } } };
  writeFileSync(world.at('p', 'baton.json'), JSON.stringify(settings));
  const env = { BATON_HANDOFF_SIZE_THRESHOLD: '300' };
  const { stdout } = await world.start(['config', world.at('p'), '--max-handoffs', '5'], env).ended;
  expect(stdout).toContain(`project: ${world.at('p')}\nfile: ${world.at('p', 'baton.json')}\n`);
  expect(stdout).toMatch(/^context_threshold +120000 +baton\.json$/m);
  expect(stdout).toMatch(/^handoff_size_threshold +300 +environment BATON_HANDOFF_SIZE_THRESHOLD$/m);
  expect(stdout).toMatch(/^max_handoffs +5 +flag --max-handoffs$/m);
  expect(stdout).toMatch(/^auto_commit +true +default$/m);
  expect(stdout).toMatch(/\nagent slow:\ncontext_threshold +170000 +baton\.json, agents\.slow\nauto_commit +false/);
  expect(stdout).toContain('the context window is not known here');
  expect(stdout).toMatch(/! slow: context_threshold is 170,000 tokens/);
  const known = await world.start(['config', world.at('p'), '--json', '--agent', 'slow', '--window', '1000000'], env)
    .ended;
  expect(JSON.parse(known.stdout)).toMatchObject({
    agent: 'slow',
    settings: { auto_commit: { value: false, from: { kind: 'file', agent: 'slow' } } },
    context_window: 1_000_000,
    safe_maximum: 967_000,
    warnings: [],
  });
});

test('a baton.json with problems ends config with 2 and every problem', async () => {
  writeFileSync(world.at('p', 'baton.json'), '{"contxt_threshold": 1, "auto_commit": "no"}');
  const { code, stderr } = await world.run('config', world.at('p'));
  expect(code).toBe(2);
  expect(stderr).toContain('did you mean "context_threshold"?');
  expect(stderr).toContain('"auto_commit" must be true or false');
});
