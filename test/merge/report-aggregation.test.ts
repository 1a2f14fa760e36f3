import { expect, test } from 'vitest';
import { embedMarkdown, embedName, embedPlain } from '../../src/merge/embed-text.ts';
import { makeWorld, pack, strategyOf } from './merge-world.ts';

const strategy = strategyOf('report_aggregation', 'manual_review');

test('one readable report tells what each agent produced, and an index says the same to programs', async () => {
  const world = makeWorld(
    [
      {
        name: 'writer',
        outputs: { doc: { name: 'doc.md', tree: '# Title\n\ntext\n' }, log: { name: 'run.log', tree: '```\nlog' } },
      },
      {
        name: 'maker',
        outputs: {
          doc: { name: 'doc.md', tree: '# Other\n' },
          bin: { name: 'bin', tree: { 'x/b': Buffer.from([0, 1]) } },
          ctx: { name: 'o.ctxp', tree: pack([{ id: 'n', type: 't', content: 1, source: 's' }]) },
        },
      },
    ],
    { strategy },
  );
  const { result } = await world.run();
  expect(result.status).toBe('success');
  const placed = ['bin/x/b', 'index.json', 'integrated.ctxp', 'maker/doc.md', 'report.md', 'run.log', 'writer/doc.md'];
  expect(world.list('merged')).toEqual(placed);
  const report = world.read('merged/report.md');
  expect(report).toMatch(/^# Report of exec-1\n/);
  expect(report).toContain('- [writer](#writer)\n- [maker](#maker)');
  expect(report.match(/^## .*$/gm)).toEqual(['## Contents', '## writer', '## maker']);
  expect(report).toContain('##### Title');
  expect(report).toContain('````text\n```\nlog\n````');
  const record = world.record();
  for (const file of record.files) expect(report).toContain(file.sha256);
  expect(report).toContain(world.in('outputs/maker/bin/bin'));
  const index = JSON.parse(world.read('merged/index.json'));
  expect(index.agents[1].outputs.map((output: { merged_as: string }) => output.merged_as)).toEqual([
    'maker/doc.md',
    'bin',
    'integrated.ctxp',
  ]);
  expect(index.agents[1].outputs[1].files[0]).toMatchObject({ path: 'bin/x/b', bytes: 2, kind: 'file' });
});

test.each([
  ['# a\n## b ##', '##### a\n###### b ##'],
  ['Title\n=====\nx', '##### Title\nx'],
  ['```\n# code\n```\n# a', '```\n# code\n```\n##### a'],
  ['~~~\nopen', '~~~\nopen\n~~~'],
  ['a <!-- open', '```text\na <!-- open\n```'],
  ['a\u001b[31m\u0007', 'a[31m'],
  ['- a\n---\n#tag', '- a\n---\n#tag'],
])('markdown %j cannot break out of its section', (text, shown) => {
  expect(embedMarkdown(text, 4)).toBe(shown);
});

test('a fence is longer than any in its text, and a name stays on its line', () => {
  expect(embedPlain('`````')).toBe('``````text\n`````\n``````');
  expect(embedName('a`b\n|c')).toBe('`` a`b \\|c ``');
});
