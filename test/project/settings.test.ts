import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { settingOptions } from '../../src/cli/setting-options.ts';
import { flagOf, settingsOf } from '../../src/handoff/settings.ts';
import { safeMaximum, thresholdsFor, windowNote } from '../../src/handoff/thresholds.ts';
import { loadSettings } from '../../src/project/load-settings.ts';
import { settingDefaults, settingNames, variableOf } from '../../src/protocol/config.ts';
import { makeProject } from './project-world.ts';

let project: ReturnType<typeof makeProject>;
beforeEach(() => {
  project = makeProject();
});
afterEach(() => project.end());

const load = (more: Parameters<typeof loadSettings>[1] = {}, folder = project.folder) => loadSettings(folder, more);
const config = (value: unknown) => project.write('baton.json', JSON.stringify(value));

test('without anything set, the defaults of the seed are in force', async () => {
  const { view, project: found } = await load();
  expect(settingsOf(view)).toEqual({
    context_threshold: 100_000,
    context_threshold_percent: null,
    hard_threshold: 150_000,
    handoff_path: 'docs/HANDOFF.md',
    template_path: 'docs/HANDOFF-template.md',
    archive_dir: 'docs/HANDOFF-archive/',
    handoff_size_threshold: 500,
    auto_commit: true,
    interrupt_turns: false,
    max_handoffs: null,
    max_concurrent_handoffs: 2,
    check_interval: 300,
    quiet_hours: null,
    check_only_when_changed: true,
  });
  expect(settingNames.every(name => view[name].from.kind === 'default')).toBe(true);
  expect(found).toEqual({ folder: project.folder, repository: project.folder, file: null });
});

test('flag wins over variable, this over the part of the agent, this over the file, this over the default', async () => {
  const layers: [object, Record<string, string>, Record<string, string>][] = [
    [{}, {}, {}],
    [{ context_threshold: 110_000 }, {}, {}],
    [{ context_threshold: 110_000, agents: { a: { context_threshold: 111_000 } } }, {}, {}],
    [{ context_threshold: 110_000 }, { BATON_CONTEXT_THRESHOLD: '112k' }, {}],
    [{ context_threshold: 110_000 }, { BATON_CONTEXT_THRESHOLD: '112k' }, { context_threshold: '113_000' }],
  ];
  const seen = [];
  for (const [file, env, flags] of layers) {
    config(file);
    seen.push((await load({ env, flags })).forAgent('a').context_threshold);
  }
  const path = project.at('baton.json');
  expect(seen).toEqual([
    { value: 100_000, from: { kind: 'default' } },
    { value: 110_000, from: { kind: 'file', path, agent: null } },
    { value: 111_000, from: { kind: 'file', path, agent: 'a' } },
    { value: 112_000, from: { kind: 'environment', variable: 'BATON_CONTEXT_THRESHOLD' } },
    { value: 113_000, from: { kind: 'flag', flag: '--context-threshold' } },
  ]);
});

test('every setting has its flag and its variable', async () => {
  expect(settingNames.map(flagOf).toSorted()).toEqual(
    Object.keys(settingOptions)
      .map(name => `--${name}`)
      .toSorted(),
  );
  const texts = {
    context_threshold: '90000',
    context_threshold_percent: '62.5',
    hard_threshold: '140k',
    handoff_path: 'a.md',
    template_path: 'b.md',
    archive_dir: 'c',
    handoff_size_threshold: '300',
    auto_commit: 'false',
    interrupt_turns: 'yes',
    max_handoffs: '7',
    max_concurrent_handoffs: '1',
    check_interval: '60',
    quiet_hours: '22:00-07:00',
    check_only_when_changed: 'no',
  };
  const env = Object.fromEntries(settingNames.map(name => [variableOf(name), texts[name]]));
  const values = settingsOf((await load({ env })).view);
  expect(values).toEqual(settingsOf((await load({ flags: texts })).view));
  expect(values).toMatchObject({ context_threshold_percent: 62.5, hard_threshold: 140_000, auto_commit: false });
  expect(values).toMatchObject({ interrupt_turns: true, max_handoffs: 7, archive_dir: 'c' });
  expect(values).toMatchObject({ check_interval: 60, quiet_hours: '22:00-07:00', check_only_when_changed: false });
  expect(settingsOf((await load({ flags: { max_handoffs: 'none' } })).view).max_handoffs).toBeNull();
  expect(settingsOf((await load({ env: { BATON_MAX_HANDOFFS: '' } })).view)).toEqual(settingDefaults);
});

test('the nearest baton.json counts, looked for up to the root of the repository and not above', async () => {
  mkdirSync(project.at('a/b'), { recursive: true });
  writeFileSync(path.join(project.world, 'baton.json'), '{"max_handoffs": 1}');
  expect((await load({}, project.at('a/b'))).project).toMatchObject({ folder: project.folder, file: null });
  config({ max_handoffs: 2 });
  expect((await load({}, project.at('a/b'))).view.max_handoffs.value).toBe(2);
  project.write('a/baton.json', '{}');
  const nearest = await load({}, project.at('a/b'));
  expect(nearest.project.folder).toBe(project.at('a'));
  expect(nearest.view.max_handoffs.value).toBeNull();
});

test('without a repository only the folder itself is looked at', async () => {
  const bare = makeProject({ isRepository: false });
  try {
    mkdirSync(bare.at('sub'));
    bare.write('baton.json', '{"max_handoffs": 2}');
    expect((await loadSettings(bare.at('sub'))).project).toMatchObject({ folder: bare.at('sub'), file: null });
    expect((await loadSettings(bare.folder)).view.max_handoffs.value).toBe(2);
  } finally {
    bare.end();
  }
});

test('without a baton.json, the project is the nearest folder that has a handoff document', async () => {
  project.write('shop/docs/HANDOFF.md', 'x');
  mkdirSync(project.at('shop/src'));
  expect((await load({}, project.at('shop/src'))).project.folder).toBe(project.at('shop'));
  mkdirSync(project.at('other'));
  expect((await load({}, project.at('other'))).project.folder).toBe(project.folder);
});

test('all problems of a baton.json are told at once, unknown keys with the nearest name', async () => {
  config({
    context_treshold: 1,
    hard_threshold: '150000',
    handoff_path: '../up.md',
    template_path: '/etc/template.md',
    archive_dir: '.git/archive',
    auto_commit: 'true',
    context_threshold_percent: 120,
    agents: { a: { handof_path: 'x' }, b: { max_concurrent_handoffs: 3 } },
  });
  const fault = await load().catch(error => error);
  expect(fault).toMatchObject({ code: 'invalid', message: expect.stringContaining(project.at('baton.json')) });
  const told = Object.fromEntries(fault.problems.map((each: { path: string }) => [each.path, each]));
  expect(Object.keys(told).toSorted()).toEqual([
    'agents.a.handof_path',
    'agents.b.max_concurrent_handoffs',
    'archive_dir',
    'auto_commit',
    'context_threshold_percent',
    'context_treshold',
    'handoff_path',
    'hard_threshold',
    'template_path',
  ]);
  expect(told.context_treshold.message).toContain('did you mean "context_threshold"?');
  expect(told['agents.a.handof_path'].message).toContain('did you mean "handoff_path"?');
  expect(told.hard_threshold.cure).toContain('150000');
  expect(told.template_path.message).toContain('is absolute');
});

test.each([
  ['{"max_handoffs": 1, "max_handoffs": 2}', /max_handoffs/],
  ['{', /line 1/],
  ['[]', /object/],
  ['\u00ff', /line 1/],
])('a baton.json that holds %s is refused', async (text, why) => {
  project.write('baton.json', text);
  const fault = await load().catch(error => error);
  expect(fault.code).toBe('invalid');
  expect(fault.problems.map((each: { message: string }) => each.message).join()).toMatch(why);
});

test('a baton.json that is a symlink is refused, wherever it leads', async () => {
  writeFileSync(path.join(project.world, 'mine.json'), '{}');
  symlinkSync('../mine.json', project.at('baton.json'));
  await expect(load()).rejects.toMatchObject({ code: 'invalid', message: expect.stringContaining('regular') });
});

test.each([
  [{ context_threshold: 100, hard_threshold: 100 }, 'hard_threshold'],
  [{ handoff_path: './docs/A.md', template_path: 'docs//A.md' }, 'template_path'],
  [{ handoff_path: 'docs/HANDOFF-archive/now.md' }, 'handoff_path'],
  [{ archive_dir: 'docs/HANDOFF.md/old' }, 'handoff_path'],
  [{ agents: { a: { hard_threshold: 90_000 } } }, 'agents.a.hard_threshold'],
])('%j is refused because its values do not go together', async (value, where) => {
  config(value);
  const fault = await load().catch(error => error);
  expect(fault.problems.map((each: { path: string }) => each.path)).toEqual([where]);
});

test('wrong flags and variables are told together, by their own names', async () => {
  const fault = await load({ flags: { context_threshold: 'many' }, env: { BATON_AUTO_COMMIT: 'maybe' } }).catch(
    error => error,
  );
  expect(fault.problems.map((each: { path: string }) => each.path)).toEqual([
    '--context-threshold',
    'BATON_AUTO_COMMIT',
  ]);
  await expect(load({ flags: { hard_threshold: '5' } })).rejects.toMatchObject({ code: 'invalid' });
});

test('a hard threshold nobody chose stays above a raised one', async () => {
  config({ context_threshold: 200_000 });
  expect((await load()).view.hard_threshold).toEqual({ value: 300_000, from: { kind: 'default' } });
});

test('a threshold that auto-compaction would come before is told with the safe maximum', async () => {
  const { view } = await load({ flags: { context_threshold: '167000' } });
  expect(safeMaximum(200_000)).toBe(167_000);
  const small = thresholdsFor(view, 200_000);
  expect(small).toMatchObject({ soft: 167_000, safeMaximum: 167_000 });
  expect(small.warnings[0]).toMatch(/context_threshold is 167,000 tokens.*at 167,000/);
  expect(thresholdsFor(view, 1_000_000)).toMatchObject({ safeMaximum: 967_000, warnings: [] });
  const { view: below } = await load({ flags: { context_threshold: '166999', hard_threshold: '167_000' } });
  expect(thresholdsFor(below, 200_000).warnings).toEqual([expect.stringMatching(/^hard_threshold/)]);
  expect(thresholdsFor((await load()).view, 200_000).warnings).toEqual([]);
});

test('an unknown window is said to be unknown, and measured by the smaller one', async () => {
  const { view } = await load({ flags: { context_threshold: '180000' } });
  const unknown = thresholdsFor(view, null);
  expect(unknown.safeMaximum).toBeNull();
  expect(unknown.warnings[0]).toContain('in a window of 200,000');
  expect(windowNote(null)).toMatch(/not known.*167,000.*967,000/);
});

test('a share of the window counts once the window is known; beside a number, the lower one', async () => {
  const { view: share } = await load({ flags: { context_threshold_percent: '50' } });
  expect(thresholdsFor(share, null).soft).toBe(100_000);
  expect(thresholdsFor(share, 1_000_000)).toMatchObject({ soft: 500_000, hard: 750_000, warnings: [] });
  const { view: both } = await load({ flags: { context_threshold_percent: '50', context_threshold: '120000' } });
  expect(thresholdsFor(both, 1_000_000).soft).toBe(120_000);
  expect(thresholdsFor(both, 200_000).soft).toBe(100_000);
  const { view: high } = await load({ flags: { context_threshold_percent: '90' } });
  expect(thresholdsFor(high, 200_000).warnings[0]).toMatch(/^context_threshold_percent is 180,000/);
});
