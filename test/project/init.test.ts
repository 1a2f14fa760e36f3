import { chmodSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { initProject } from '../../src/project/init-project.ts';
import { removeText, replaceText } from '../../src/project/project-files.ts';
import { everythingIn, makeProject } from './project-world.ts';

let project: ReturnType<typeof makeProject>;
beforeEach(() => {
  project = makeProject();
});
afterEach(() => project.end());

const deeds = (done: readonly { path: string; deed: string }[]) =>
  Object.fromEntries(done.map(({ path, deed }) => [path, deed]));
const SKILL = '.claude/skills/baton-handoff/SKILL.md';

test('init writes the template with the sections of the seed, the document, the archive, CLAUDE.md and the skill', async () => {
  const { done } = await project.init();
  expect(new Set(done.map(({ deed }) => deed))).toEqual(new Set(['create']));
  const headings = [...project.read('docs/HANDOFF-template.md').matchAll(/^## (.+)$/gm)].map(([, name]) => name);
  expect(headings).toEqual([
    'Session Info',
    'Active Workers',
    'Pending Tasks',
    'Blocked Items',
    'Recent Events',
    'Next Actions',
    'Notes',
  ]);
  expect(project.read('docs/HANDOFF.md')).toBe(project.read('docs/HANDOFF-template.md'));
  expect(project.read('docs/HANDOFF-archive/.gitkeep')).toBe('');
  expect(project.read('CLAUDE.md')).toMatch(/after every `\/clear`: read it first/);
  const skill = project.read(SKILL);
  expect(skill).toMatch(/^---\nname: baton-handoff\ndescription: .+\n---\n/);
  expect(skill).toContain('baton handoff self');
  expect(skill).toContain('Never send `/clear` yourself');
  expect(skill + project.read('CLAUDE.md')).not.toContain('{{');
});

test('run again it changes nothing, and no temporary file is left', async () => {
  await project.init();
  const before = project.everything();
  const { done } = await project.init();
  expect(new Set(done.map(({ deed }) => deed))).toEqual(new Set(['keep']));
  expect(project.everything()).toEqual(before);
  expect(Object.keys(before).filter(name => name.includes('.tmp-'))).toEqual([]);
});

test('a dry run says the same as the run and touches nothing, for --remove too', async () => {
  const empty = project.everything();
  const wished = await project.init({ dryRun: true });
  expect(project.everything()).toEqual(empty);
  expect((await project.init()).done).toEqual(wished.done);
  const full = project.everything();
  const unwished = await project.init({ dryRun: true, remove: true });
  expect(project.everything()).toEqual(full);
  expect((await project.init({ remove: true })).done).toEqual(unwished.done);
});

test('init and its removal leave an empty folder as it was', async () => {
  const before = project.everything();
  await project.init();
  await project.init({ remove: true });
  expect(project.everything()).toEqual(before);
});

const ends: [string, string][] = [
  ['with a last line end', '# Mine\n\nrules\n'],
  ['without a last line end', '# Mine\nrules'],
  ['with blank lines at the end', '# Mine\n\n\n'],
  ['that is empty', ''],
  ['of one line end', '\n'],
  ['with CRLF', '# Mine\r\nrules\r\n'],
  ['with CRLF and no last one', '# Mine\r\nrules'],
  ['with mixed line ends', '# Mine\r\na\r\nb\n'],
  ['with a BOM', '\ufeff# Mine\n'],
];
test.each(ends)('a CLAUDE.md %s keeps every byte in front of the section, and gets them all back', async (_, text) => {
  project.write('CLAUDE.md', text);
  await project.init();
  const now = project.read('CLAUDE.md');
  expect(now.startsWith(text)).toBe(true);
  expect(now).toContain('baton:handoff begin');
  if (/\r\n/.test(text)) expect(now.slice(text.length).replaceAll('\r\n', '')).not.toContain('\n');
  await project.init({ remove: true });
  expect(readFileSync(project.at('CLAUDE.md'))).toEqual(Buffer.from(text));
});

test('a CLAUDE.md that is no UTF-8 keeps its bytes, and its mode', async () => {
  const bytes = Buffer.from([0x23, 0x20, 0xe4, 0xff, 0xfe, 0x0a]);
  project.write('CLAUDE.md', bytes);
  chmodSync(project.at('CLAUDE.md'), 0o660);
  const before = project.everything();
  await project.init();
  expect(readFileSync(project.at('CLAUDE.md')).subarray(0, bytes.length)).toEqual(bytes);
  expect(project.everything()['CLAUDE.md']).toMatch(/^660 /);
  await project.init({ remove: true });
  expect(project.everything()).toEqual(before);
});

test('text that was written around the section stays when it is taken out', async () => {
  project.write('CLAUDE.md', 'mine');
  await project.init();
  writeFileSync(project.at('CLAUDE.md'), `top\n${project.read('CLAUDE.md')}below\n`);
  await project.init({ remove: true });
  expect(project.read('CLAUDE.md')).toBe('top\nmine\nbelow\n');
});

test('what was there before is kept, and what was filled or changed survives --remove', async () => {
  project.write('docs/HANDOFF.md', 'my own\n');
  project.write('docs/HANDOFF-template.md', '# Ours\n');
  project.write(SKILL, 'my own skill\n');
  expect(deeds((await project.init()).done)).toMatchObject({
    'docs/HANDOFF.md': 'keep',
    'docs/HANDOFF-template.md': 'keep',
    [SKILL]: 'keep',
  });
  await project.init({ remove: true });
  expect(project.read('docs/HANDOFF.md')).toBe('my own\n');
  expect(project.read('docs/HANDOFF-template.md')).toBe('# Ours\n');
  expect(project.read(SKILL)).toBe('my own skill\n');
});

test('a document that was filled stays, and so does an archive that holds something', async () => {
  await project.init();
  project.write('docs/HANDOFF.md', 'filled\n');
  project.write('docs/HANDOFF-archive/HANDOFF-2025-01-20-1430.md', 'old\n');
  const { done } = await project.init({ remove: true });
  expect(deeds(done)).toMatchObject({ 'docs/HANDOFF.md': 'keep', 'docs/HANDOFF-archive/.gitkeep': 'keep' });
  expect(Object.keys(project.everything()).filter(name => name.endsWith('.md'))).toEqual([
    'docs/HANDOFF-archive/HANDOFF-2025-01-20-1430.md',
    'docs/HANDOFF.md',
  ]);
});

test('a new document comes from the template the project has', async () => {
  project.write('docs/HANDOFF-template.md', '# Ours\n');
  await project.init();
  expect(project.read('docs/HANDOFF.md')).toBe('# Ours\n');
});

test('section and skill follow a path that is set differently, unless somebody edited them', async () => {
  await project.init();
  project.write('baton.json', '{"handoff_path": "state/NOW.md"}');
  expect(deeds((await project.init()).done)).toMatchObject({ 'CLAUDE.md': 'update', [SKILL]: 'update' });
  expect(project.read('CLAUDE.md')).toContain('`state/NOW.md` carries');
  expect(project.read('CLAUDE.md').match(/baton:handoff begin/g)).toHaveLength(1);

  for (const name of ['CLAUDE.md', SKILL]) project.write(name, project.read(name).replace('Never send', 'Rarely send'));
  project.write('baton.json', '{"handoff_path": "state/LATER.md"}');
  const edited = [project.read('CLAUDE.md'), project.read(SKILL)];
  expect(deeds((await project.init()).done)).toMatchObject({ 'CLAUDE.md': 'keep', [SKILL]: 'keep' });
  await project.init({ remove: true });
  expect([project.read('CLAUDE.md'), project.read(SKILL)]).toEqual(edited);
});

test('a checkout that turned the line ends is still ours', async () => {
  await project.init();
  for (const name of ['CLAUDE.md', SKILL]) project.write(name, project.read(name).replaceAll('\n', '\r\n'));
  expect(deeds((await project.init({ remove: true })).done)).toMatchObject({
    'CLAUDE.md': 'remove',
    [SKILL]: 'remove',
  });
});

const damages: [string, (text: string) => string][] = [
  ['the end mark is gone', text => text.replace(/<!-- baton:handoff end.*-->/, '')],
  ['the begin mark is gone', text => text.replace(/<!-- baton:handoff begin.*-->/, '')],
  ['the sum is cut', text => text.replace(/end \w{12}/, 'end 12')],
  ['a further mark is half there', text => `${text}<!-- baton:handoff end`],
  ['the section is there twice', text => text + text],
  ['the marks are turned', text => text.split('\n').toReversed().join('\n')],
];
test.each(damages)('where %s, init and --remove refuse and touch nothing', async (_, damage) => {
  await project.init();
  project.write('CLAUDE.md', damage(project.read('CLAUDE.md')));
  rmSync(project.at(SKILL));
  const before = project.everything();
  for (const remove of [false, true]) {
    await expect(project.init({ remove })).rejects.toMatchObject({
      code: 'refused',
      cure: expect.stringMatching(/baton:handoff/),
    });
  }
  expect(project.everything()).toEqual(before);
});

test.each([
  ['CLAUDE.md', 'outside.md'],
  ['docs', 'elsewhere'],
  ['.claude', 'elsewhere'],
  ['docs/HANDOFF.md', 'outside.md'],
])('%s as a symlink out of the project is refused, and nothing is touched on either side', async (name, target) => {
  const outside = path.join(project.world, 'outside');
  mkdirSync(path.join(outside, 'elsewhere'), { recursive: true });
  writeFileSync(path.join(outside, 'outside.md'), 'not yours\n');
  mkdirSync(path.dirname(project.at(name)), { recursive: true });
  symlinkSync(path.join(outside, target), project.at(name));
  const before = [project.everything(), everythingIn(outside)];
  for (const remove of [false, true]) await expect(project.init({ remove })).rejects.toMatchObject({ code: 'refused' });
  expect([project.everything(), everythingIn(outside)]).toEqual(before);
});

test('a CLAUDE.md that is a symlink inside the project is followed and stays one', async () => {
  project.write('AGENTS.md', 'rules\n');
  symlinkSync('AGENTS.md', project.at('CLAUDE.md'));
  const before = project.everything();
  await project.init();
  expect(project.everything()['CLAUDE.md']).toBe('-> AGENTS.md');
  expect(project.read('AGENTS.md')).toContain('baton:handoff begin');
  await project.init({ remove: true });
  expect(project.everything()).toEqual(before);
});

test('what somebody wrote since it was looked at is not replaced or removed', async () => {
  project.write('note.md', 'newer\n');
  await expect(replaceText(project.at('note.md'), 'older\n', 'ours\n')).rejects.toMatchObject({ code: 'refused' });
  await expect(removeText(project.at('note.md'), 'older\n')).rejects.toMatchObject({ code: 'refused' });
  expect(project.read('note.md')).toBe('newer\n');
  await replaceText(project.at('note.md'), 'newer\n', 'ours\n');
  expect(project.read('note.md')).toBe('ours\n');
});

test('everything that stands in the way is told at once', async () => {
  symlinkSync('/etc/hostname', project.at('CLAUDE.md'));
  project.write('docs', 'a file\n');
  const fault = await project.init().catch(error => error);
  const told = fault.problems.map((problem: { message: string }) => problem.message).join('\n');
  expect(told).toMatch(/CLAUDE\.md.*outside of the project/);
  expect(told).toMatch(/docs\/HANDOFF-template\.md" lies below a file/);
});

test('below a project with a baton.json, init is refused with the place to run it', async () => {
  project.write('baton.json', '{}');
  mkdirSync(project.at('sub'));
  const wish = { remove: false, dryRun: false, env: {} };
  await expect(initProject(project.at('sub'), wish)).rejects.toMatchObject({
    cure: expect.stringContaining(project.folder),
  });
  expect(Object.keys(project.everything())).toEqual(['baton.json', 'sub']);
});
