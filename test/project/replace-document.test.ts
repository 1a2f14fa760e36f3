// A document written in the place of others: nothing of theirs is lost, also what comes in the very moment.

import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { DEFAULT_TEMPLATE } from '../../src/handoff/template.ts';
import { replaceDocument } from '../../src/project/replace-document.ts';

const now = Date.UTC(2026, 10, 18, 12);

function makePlaces() {
  const root = mkdtempSync('/tmp/bp-');
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const at = (...parts: string[]) => path.join(root, 'docs', 'handoff', ...parts);
  mkdirSync(at(), { recursive: true });
  const places = {
    ...{ root, folder: root, archiveStem: 'api' },
    ...{ documentPath: at('api.md'), templatePath: at('none.md'), archiveDir: at('archive') },
  };
  return { at, places, read: (...parts: string[]) => readFileSync(at(...parts), 'utf8') };
}

test('what lies there goes to the archive, and both are files of the commit', async () => {
  const { at, places, read } = makePlaces();
  writeFileSync(at('api.md'), 'the old one\n');
  const { files } = await replaceDocument(places, now, archived => `new; ${archived.length} kept\n`);
  expect(read('api.md')).toBe('new; 1 kept\n');
  expect(read('archive', 'api-2026-11-18-1200.md')).toBe('the old one\n');
  expect(files).toEqual([at('api.md'), at('archive', 'api-2026-11-18-1200.md')]);
});

test('nothing or the bare template is archived by nobody', async () => {
  const { at, places, read } = makePlaces();
  expect(await replaceDocument(places, now, () => 'first\n')).toEqual({ archived: [], files: [at('api.md')] });
  writeFileSync(at('api.md'), DEFAULT_TEMPLATE);
  await replaceDocument(places, now, () => 'second\n');
  expect(read('api.md')).toBe('second\n');
  expect(existsSync(at('archive'))).toBe(false);
});

test('what somebody writes between the archive and the new document is kept too', async () => {
  const { at, places, read } = makePlaces();
  writeFileSync(at('api.md'), 'the old one\n');
  const { archived } = await replaceDocument(places, now, kept => {
    if (kept.length === 1) writeFileSync(at('api.md'), 'just saved\n');
    return 'new\n';
  });
  expect(archived.map(file => readFileSync(file, 'utf8'))).toEqual(['the old one\n', 'just saved\n']);
  expect(read('api.md')).toBe('new\n');
});

test('somebody who never stops writing keeps their text', async () => {
  const { at, places, read } = makePlaces();
  let n = 0;
  const written = replaceDocument(places, now, () => {
    n += 1;
    writeFileSync(at('api.md'), `text ${n}\n`);
    return 'new\n';
  });
  await expect(written).rejects.toMatchObject({ code: 'refused' });
  expect(read('api.md')).toBe(`text ${n}\n`);
  expect(readdirSync(at('archive'))).toHaveLength(n - 1);
});

test('what is too large, or holds a secret, is kept and is no file of the commit', async () => {
  for (const old of ['x'.repeat(5_000_000), 'DEPLOY_TOKEN=abcdef0123456789\n']) {
    const { at, places } = makePlaces();
    writeFileSync(at('api.md'), old);
    const { archived, files } = await replaceDocument(places, now, () => 'new\n');
    expect(readFileSync(archived[0]!, 'utf8')).toBe(old);
    expect(files).toEqual([at('api.md')]);
  }
});
