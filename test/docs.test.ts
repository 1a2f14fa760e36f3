// The docs say only what is so: links lead somewhere, commands exist, examples are valid, folders are there.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { AgentConfig, AgentResult } from '../src/protocol/agent.ts';
import { ExecutionRequest } from '../src/protocol/request.ts';

const pages = ['README.md', 'CHANGELOG.md', ...readdirSync('docs').map(name => path.join('docs', name))]
  .filter(file => file.endsWith('.md'))
  .map(file => ({ file, text: readFileSync(file, 'utf8') }));
const page = (file: string) => pages.find(each => each.file === file)!.text;

// Headings become anchors as GitHub makes them.
const anchorsOf = (text: string) =>
  [...text.matchAll(/^#+ (.+)$/gm)].map(([, words]) =>
    words!
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(' ', '-'),
  );

test.each(pages)('every relative link of $file leads to something', ({ file, text }) => {
  for (const [, target] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
    if (/^[a-z]+:/.test(target!)) continue;
    const [name, anchor] = target!.split('#');
    const to = name === '' ? file : path.join(path.dirname(file), name!);
    expect(existsSync(to), `${file} links to ${target}`).toBe(true);
    if (anchor !== undefined)
      expect(anchorsOf(readFileSync(to, 'utf8')), `${file} links to ${target}`).toContain(anchor);
  }
});

test.each(pages)('every npm script that $file names exists', ({ file, text }) => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
  const named = [...text.matchAll(/\bnpm (?:run (?:-s )?([\w:-]+)|(start|test)\b)/g)].map(([, a, b]) => a ?? b!);
  for (const name of named) expect(Object.keys(scripts), `${file} names npm run ${name}`).toContain(name);
});

test('the README fits on a few screens and leads to every page of the docs', () => {
  expect(page('README.md').split('\n').length).toBeLessThan(150);
  const first = ['using', 'main-orchestrator', 'writing-agents', 'protocol', 'merge', 'ctxpack', 'architecture'];
  for (const name of [...first, 'performance']) expect(page('README.md')).toContain(`(docs/${name}.md)`);
});

test('the tree in docs/architecture.md has every folder of src', () => {
  const [, tree] = /```\nsrc\/\n([\s\S]*?)\n```/.exec(page('docs/architecture.md'))!;
  const told = [...tree!.matchAll(/^ {2}(\w+)\/ /gm)].map(([, name]) => name!);
  const folders = readdirSync('src', { withFileTypes: true }).filter(entry => entry.isDirectory());
  for (const { name } of folders) expect(told, `add a line for src/${name}`).toContain(name);
});

// A block of JSON belongs to the schema whose fields it has.
const blocks = pages.flatMap(({ file, text }) =>
  [...text.matchAll(/```json\n([\s\S]*?)```/g)].map(([, json], at) => ({ name: `${file} #${at + 1}`, json: json! })),
);
const ours = blocks.filter(({ name }) => /main-orchestrator|writing-agents/.test(name));

test.each(ours)('the JSON of $name is valid', ({ name, json }) => {
  const value = JSON.parse(json);
  const schema = 'agents' in value ? ExecutionRequest : 'provider' in value ? AgentConfig : AgentResult;
  expect(schema.safeParse(value).error?.issues, name).toBeUndefined();
});
