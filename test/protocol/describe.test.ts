// The schemas for editors and the page for people both come from zod, and the page is not stale.

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { jsonSchemaFor, protocolPage, schemaNames } from '../../src/protocol/describe.ts';

test('docs/protocol.md is up to date (else: node src/protocol/write-docs.ts)', () => {
  expect(readFileSync(new URL('../../docs/protocol.md', import.meta.url), 'utf8')).toBe(protocolPage());
});

test.each(schemaNames)('the schema of %s is one an editor can use', name => {
  const schema = jsonSchemaFor(name);
  expect(schema.$schema).toMatch(/json-schema\.org/);
  expect(schema.title).toMatch(/\./);
  expect(schema).not.toHaveProperty('$id');
});

test('what has a default need not be written in a request, but stands in a report', () => {
  expect(jsonSchemaFor('request').required).toEqual(['execution_id', 'workspace_root', 'agents']);
  expect(jsonSchemaFor('agent')).not.toHaveProperty('required');
  expect(jsonSchemaFor('report').required).toContain('warnings');
});

test('the page tells type, need, range and meaning of a field', () => {
  const row =
    '| `execution_options.max_retries` | integer | default `2` | at least 0, at most 10 | Attempts after the first one. |';
  expect(protocolPage().split('\n')).toContain(row);
});
