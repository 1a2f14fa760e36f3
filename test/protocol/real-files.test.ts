// What `baton schema` prints, held against real files: the sample request, and what a real run writes.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runRequest } from '../../src/engine/run-execution.ts';
import { jsonSchemaFor, type SchemaName, schemaNames } from '../../src/protocol/describe.ts';
import { ExecutionRequest } from '../../src/protocol/request.ts';
import { PATH_PATTERN, PathText } from '../../src/protocol/text.ts';
import { makeWorld, writeOut } from '../engine/engine-world.ts';
import { size } from '../test-size.ts';
import { type JsonSchema, judge } from './json-schema.ts';

const repository = path.resolve(import.meta.dirname, '../..');
const sample = JSON.parse(readFileSync(path.join(repository, 'templates/sample/execution_request.json'), 'utf8'));

function printed(name: SchemaName): JsonSchema {
  const args = [path.join(repository, 'src/cli/bin.ts'), 'schema', name];
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }));
}

test.each(schemaNames)('baton schema %s prints the schema, with patterns that are regular expressions', name => {
  const schema = printed(name);
  expect(schema).toEqual(jsonSchemaFor(name));
  const patterns = JSON.stringify(schema).matchAll(/"pattern":("(?:[^"\\]|\\.)*")/g);
  for (const [, pattern] of patterns) new RegExp(JSON.parse(pattern!), 'u');
});

test('the schema of a request takes the sample, and refuses what is wrong with it', () => {
  const schema = jsonSchemaFor('request');
  expect(judge(schema, sample)).toEqual([]);
  expect(judge(schema, { ...sample, paralel: 1 })).toEqual(['$: has an unknown paralel']);
  expect(judge(schema, { ...sample, workspace_root: '../x' })).toEqual(['$.workspace_root: does not fit']);
  expect(judge(schema, { ...sample, agents: [] })).toEqual(['$.agents: has too few items']);
  expect(judge(schema, { ...sample, execution_options: { max_retries: 11 } })).toHaveLength(1);
});

test('what a real run writes fits its schemas: report, status, conflicts and events', async () => {
  const pack = (content: string) =>
    `echo '{"ctxpack":1,"nodes":[{"id":"n","type":"fact","content":"${content}","source":"s"}]}' > "$BATON_OUTPUT_P"`;
  const world = makeWorld(
    [
      { name: 'a', script: pack('1'), outputs: { p: 'outputs/a/x.ctxp' } },
      { name: 'b', script: pack('2'), outputs: { p: 'outputs/b/x.ctxp' } },
      { name: 'bad', script: 'exit 3' },
      { name: 'late', script: writeOut, needs: ['bad'] },
    ],
    { execution_options: { max_retries: 0 }, merge_strategy: { type: 'ctxpack_union' } },
  );
  const { report } = await runRequest({ file: world.file }, { allowRoots: [] });
  expect(report.merge_result.status).toBe('conflict');
  const whole = (file: string) => JSON.parse(world.read(file)) as unknown;
  expect(judge(jsonSchemaFor('report'), whole('execution_report.json'))).toEqual([]);
  expect(judge(jsonSchemaFor('status'), whole('status.json'))).toEqual([]);
  expect(judge(jsonSchemaFor('conflicts'), whole('conflicts.json'))).toEqual([]);
  expect(judge(jsonSchemaFor('ctxpack'), whole('outputs/a/x.ctxp'))).toEqual([]);
  const lines = world.read('events.ndjson').trim().split('\n');
  for (const line of lines) expect(judge(jsonSchemaFor('event'), JSON.parse(line)), line).toEqual([]);
  const { warnings: _, ...less } = whole('execution_report.json') as Record<string, unknown>;
  expect(judge(jsonSchemaFor('report'), less)).toEqual(['$: lacks warnings']);
});

const parts = fc.constantFrom('..', '.', '', 'a', '...', 'a..', '~', '~x', 'x~', '\n', '\u0085', '\0', 'ü', ' ', '\\');

test('editors and Baton agree on what a path may hold', () => {
  fc.assert(
    fc.property(fc.array(parts, { maxLength: 5 }), list => {
      const text = list.join('/');
      expect(new RegExp(PATH_PATTERN, 'u').test(text), JSON.stringify(text)).toBe(PathText.safeParse(text).success);
    }),
    { numRuns: size(500, 5000) },
  );
});

// One value somewhere in the request is exchanged.
const exchanged = fc.tuple(fc.array(fc.nat(12), { minLength: 1, maxLength: 5 }), fc.jsonValue({ maxDepth: 1 }));

test('what Baton takes, the schema takes', () => {
  fc.assert(
    fc.property(exchanged, ([steps, value]) => {
      const request = structuredClone(sample);
      let here = request;
      for (const [i, step] of steps.entries()) {
        const keys = Object.keys(here);
        const key = keys[step % keys.length] ?? 'x';
        if (i === steps.length - 1 || typeof here[key] !== 'object' || here[key] === null) {
          here[key] = value;
          break;
        }
        here = here[key];
      }
      if (ExecutionRequest.safeParse(request).success) expect(judge(jsonSchemaFor('request'), request)).toEqual([]);
    }),
    { numRuns: size(300, 3000) },
  );
});
