// Random merges for the law: trees, clashing names, texts and binaries, links, packs, dependencies, policies.

import fc from 'fast-check';
import type { ConflictResolution, MergeType } from '../../src/protocol/request.ts';
import type { AgentSpec, Content, Tree } from './merge-world.ts';
import { pack } from './merge-world.ts';

const LINES = Array.from({ length: 10 }, (_, i) => `line ${i}`);
export const BASE = `${LINES.join('\n')}\n`;

const edit = fc.tuple(fc.nat(9), fc.constantFrom('one', 'two', 'three', 'four', 'five'));
const text = fc
  .record({
    edits: fc.oneof({ weight: 4, arbitrary: fc.tuple(edit) }, fc.array(edit, { maxLength: 2 })),
    end: fc.oneof({ weight: 8, arbitrary: fc.constant('\n') }, fc.constantFrom('\r\n', '  \n')),
  })
  .map(({ edits, end }) => LINES.map((line, i) => edits.find(([at]) => at === i)?.[1] ?? line).join(end) + end);
const binary = fc.uint8Array({ minLength: 1, maxLength: 3 }).map(bytes => Buffer.from([0, ...bytes]));
const json = fc
  .dictionary(fc.constantFrom('x', 'y', 'z'), fc.nat(2), { maxKeys: 2 })
  .map(value => JSON.stringify(value));
const script = fc.constantFrom('x', 'y').map(run => ({ run }));
const file: fc.Arbitrary<Content> = fc.oneof({ weight: 8, arbitrary: text }, binary, json, script, fc.constant(''));
const empty = fc.constant({ empty: true as const });
const link = fc.constantFrom('f.txt', 'f.txt', './bin', 'nowhere', 'd/../f.txt').map(to => ({ link: to }));

const node = fc.record({
  id: fc.constantFrom('n', 'm', 'o'),
  type: fc.constant('fact'),
  content: fc.nat(1),
  source: fc.constantFrom('s', 't'),
});
const nodes = fc.uniqueArray(node, { selector: one => one.id, maxLength: 3 });
const ctxpack = fc.oneof(
  { weight: 20, arbitrary: nodes.map(list => pack(list)) },
  fc.constantFrom('{', '{"ctxpack":2}'),
);

const leaves = fc.record(
  {
    'f.txt': file,
    d: fc.oneof(file, link, empty),
    'd/f.txt': text,
    'd/e/g.json': json,
    bin: fc.oneof(binary, file),
    l: fc.oneof(link, file, empty, fc.constant('f.txt')),
  },
  { requiredKeys: ['f.txt'] },
);
// A path cannot be a file and a folder within one tree: "d" gives way, or takes all, half of the time each.
const tree = fc.tuple(leaves, fc.boolean()).map(([all, isFile]) => {
  const names = Object.entries(all).filter(([name]) => (isFile && 'd' in all ? !name.startsWith('d/') : name !== 'd'));
  return Object.fromEntries(names) as Tree;
});

const outputOf = (type: MergeType) =>
  fc.oneof(
    { weight: 6, arbitrary: fc.record({ name: fc.constantFrom('code', 'code', 'a', 'b'), tree }) },
    { weight: 2, arbitrary: fc.record({ name: fc.constantFrom('notes.md', 'report.md', 'a', 'code'), tree: file }) },
    { weight: 2, arbitrary: fc.record({ name: fc.constantFrom('data.json', 'index.json'), tree: json }) },
    {
      weight: type === 'file_merge' ? 1 : 8,
      arbitrary: fc.record({ name: fc.constantFrom('x.ctxp', 'integrated.ctxp'), tree: ctxpack }),
    },
  );

const agentOf = (type: MergeType) =>
  fc.record({
    outputs: fc.array(outputOf(type), { minLength: 1, maxLength: 3 }),
    after: fc.oneof(fc.constant<string[]>([]), fc.subarray(['a', 'b', 'code', 'last'])),
    inputs: fc.constantFrom<string[]>(['shared'], ['shared'], []),
  });

export type RandomCase = {
  agents: AgentSpec[];
  policy: ConflictResolution;
  validation: { semantic_consistency: boolean; schema_validation: boolean };
  pick: number; // which side a person takes afterwards
};

export const randomCase = (type: MergeType): fc.Arbitrary<RandomCase> =>
  fc.record({
    agents: fc.array(agentOf(type), { minLength: 1, maxLength: 4 }).map(list =>
      list.map(({ outputs, after, inputs }, i): AgentSpec => {
        const names = ['a', 'b', 'code', 'last'];
        const named = Object.fromEntries(outputs.map((one, k) => [`k${k}`, one]));
        return { name: names[i]!, after: after.filter(name => names.indexOf(name) < i), outputs: named, inputs };
      }),
    ),
    policy: fc.constantFrom<ConflictResolution>('auto', 'manual_review', 'fail_on_conflict'),
    validation: fc.record({ semantic_consistency: fc.boolean(), schema_validation: fc.boolean() }),
    pick: fc.nat(3),
  });
