// What counts as a handoff document, what the watchdog writes in its place, and how old ones are named.

import { expect, test } from 'vitest';
import { archiveName, compareArchives, isArchiveName } from '../../src/handoff/archive-names.ts';
import { checkDocument } from '../../src/handoff/check-document.ts';
import { type FallbackFacts, fallbackDocument, isFallback } from '../../src/handoff/fallback-document.ts';
import { askPrompt, commitMessage, resumePrompt } from '../../src/handoff/handoff-prompts.ts';
import { DEFAULT_TEMPLATE, parseTemplate } from '../../src/handoff/template.ts';

const id = 'h-1';
const rules = { template: DEFAULT_TEMPLATE, handoffId: id, maxLines: 500 };

const good = `# Orchestration Handoff

Handoff-Id: h-1

## Session Info

- **Timestamp**: 2026-11-18 12:00
- **Reason**: context threshold
- **Context at handoff**: 104000

## Active Workers

| Session | Task | Status | Branch | Last Update |
|---------|------|--------|--------|-------------|
| w1 | parser | running | feat/parser | 11:58 |

## Pending Tasks

- [ ] merge the parser

## Blocked Items

none: nothing waits for anybody

## Recent Events

- 11:50 w1 began

## Next Actions

1. Look at w1, then merge it.

## Notes

none beyond what is above
`;

const problems = (text: string, more = {}) =>
  checkDocument(text, { ...rules, ...more }).map(one => `${one.section ?? '-'}: ${one.problem}`);

test('a filled document is good', () => {
  expect(problems(good)).toEqual([]);
  expect(problems(good.replaceAll('\n', '\r\n'))).toEqual([]);
  expect(problems(good.replace('Handoff-Id: h-1', '- **Handoff-Id**: h-1'))).toEqual([]);
});

test('each fault is told by a sentence that names it', () => {
  const cases: [string, string, RegExp][] = [
    ['another id', good.replace('h-1', 'h-12'), /^-: the line "Handoff-Id: h-1" is missing$/],
    ['a missing section', good.replace('## Next Actions', '## Later'), /^Next Actions: .*missing$/],
    ['an empty section', good.replace('1. Look at w1, then merge it.', ''), /^Next Actions: it is empty/],
    ['"none" without a reason', good.replace('none: nothing waits for anybody', 'none'), /^Blocked Items: it is empty/],
    ['a table without rows', good.replace(/\| w1.*\n/, '| | | | | |\n'), /^Active Workers: it is empty/],
    ['a placeholder', good.replace('104000', '<token count if known>'), /placeholder <token count if known>/],
    ['a hint left', good.replace('- 11:50', '<!-- Last 5-10 significant events -->\n- 11:50'), /placeholder <!-- Last/],
    ['a conflict', good.replace('- 11:50', '<<<<<<< HEAD\n- 11:50'), /merge conflict/],
    [
      'a key',
      good.replace('none beyond', `ghp_${'a1'.repeat(18)} beyond`),
      /^-: line \d+ holds what looks like a secret/,
    ],
    ['a NUL', good.replace('w1', 'w\0'), /NUL/],
  ];
  for (const [name, text, wanted] of cases) {
    const found = problems(text);
    expect(found.length, name).toBe(1);
    expect(found[0], name).toMatch(wanted);
  }
  expect(problems(good, { maxLines: 10 })[0]).toMatch(/lines, over 10/);
  expect(problems('')).not.toEqual([]);
  expect(problems(DEFAULT_TEMPLATE).length).toBeGreaterThan(6);
});

test('a secret is never repeated in the problem that tells of it', () => {
  const secret = `ghp_${'b2'.repeat(18)}`;
  expect(problems(good.replace('w1', secret)).join()).not.toContain(secret);
});

test('the built-in template has the seven sections and their placeholders', () => {
  const { sections, placeholders } = parseTemplate(DEFAULT_TEMPLATE);
  expect(sections.map(one => one.title)).toEqual([
    'Session Info', 'Active Workers', 'Pending Tasks', 'Blocked Items', 'Recent Events', 'Next Actions', 'Notes',
  ]); // biome-ignore format: a list
  expect(placeholders).toContain('<YYYY-MM-DD HH:MM>');
  expect(placeholders).toHaveLength(7);
});

const facts: FallbackFacts = {
  id,
  at: Date.UTC(2026, 10, 18, 12),
  reason: 'error recovery',
  why: 'its context is full',
  tokens: 180_000,
  agent: 'tests',
  task: 'write the parser',
  template: DEFAULT_TEMPLATE,
  maxLines: 500,
  git: { branch: 'main', head: 'abc123', changed: Array.from({ length: 100 }, (_, n) => `src/file-${n}.ts`) },
  messages: [
    { who: 'agent', text: `I keep sk-ant-${'x'.repeat(30)}\n## Not a section\n\`\`\`\n<token count if known>` },
  ],
  todos: [{ text: 'finish', status: 'in_progress' }],
  workers: [{ name: 'w|1', task: 'a', status: 'running', branch: null, at: null }],
  archived: [],
};

const same = (text: string) => text;

test('a secret by its name is cut from what was quoted, and keeps a document of an agent from being good', () => {
  const value = 'hunter2-and-more';
  for (const line of [
    `MY_DB_PASSWORD=${value}`,
    `export AWS_SECRET_ACCESS_KEY="${value}"`,
    `API_TOKEN='${value}' run`,
  ]) {
    expect(problems(good.replace('- 11:50', `${line}\n- 11:50`)), line).toEqual([
      expect.stringMatching(/^-: line \d+ holds what looks like a secret/),
    ]);
    const text = fallbackDocument({ ...facts, messages: [{ who: 'agent', text: line }] }, same);
    expect(text).toContain('=[redacted]');
    expect(text).not.toContain(value);
    expect(problems(text)).toEqual([]);
  }
  const harmless =
    'MAX_TOKENS=100000 GITHUB_TOKEN=$TOKEN API_KEY=<your key> KEY_FILE=/home/me/key DB_PASSWORD=[redacted]';
  expect(problems(good.replace('- 11:50', `${harmless}\n- 11:50`))).toEqual([]);
  const known = fallbackDocument({ ...facts, task: 'use s3cr3t-value now' }, text =>
    text.replaceAll('s3cr3t-value', '[redacted:X]'),
  );
  expect(known).toContain('use [redacted:X] now');
  expect(isFallback(known)).toBe(true);
});

test("the watchdog's document is its own only as long as nobody changed a word", () => {
  const text = fallbackDocument(facts, same);
  expect(isFallback(text)).toBe(true);
  expect(isFallback(text.replace('finish', 'finish soon'))).toBe(false);
  expect(isFallback(`${text}\nmore`)).toBe(false);
  expect(isFallback(text.replace(/^> Sum: .*\n/m, ''))).toBe(false);
});

test("the watchdog's own document is marked, holds the facts and passes the check", () => {
  const text = fallbackDocument(facts, same);
  expect(problems(text)).toEqual([]);
  expect(isFallback(text)).toBe(true);
  expect(isFallback(good)).toBe(false);
  for (const said of ['write the parser', 'branch main', 'src/file-0.ts', 'finish', 'w\\|1', 'its context is full'])
    expect(text).toContain(said);
  expect(text).not.toContain('sk-ant-xxx');
});

test('it passes the check also with nothing known, a strange template and little room', () => {
  const bare = { ...facts, git: null, messages: [], todos: [], workers: [], task: '', tokens: null };
  expect(problems(fallbackDocument(bare, same))).toEqual([]);
  const template = '# Ours\n\n## Risks\n\n<name each risk>\n\n## Next actions\n';
  expect(problems(fallbackDocument({ ...facts, template }, same), { template })).toEqual([]);
  const messages = Array.from({ length: 50 }, () => ({ who: 'user' as const, text: 'a\n'.repeat(400) }));
  expect(problems(fallbackDocument({ ...facts, messages, maxLines: 100 }, same), { maxLines: 100 })).toEqual([]);
});

test('archives are named by the minute, and two in one minute keep both', () => {
  const at = Date.UTC(2026, 0, 20, 14, 30, 59);
  expect(archiveName(at, [])).toBe('HANDOFF-2026-01-20-1430.md');
  expect(archiveName(at, ['HANDOFF-2026-01-20-1430.md'])).toBe('HANDOFF-2026-01-20-1430-2.md');
  expect(archiveName(at, ['handoff-2026-01-20-1430.md', 'HANDOFF-2026-01-20-1430-2.md'])).toMatch(/-3\.md$/);
  expect(isArchiveName('HANDOFF-2026-01-20-1430-2.md')).toBe(true);
  expect(isArchiveName('HANDOFF.md')).toBe(false);
  const names = [10, 2, 1].map(n => (n === 1 ? 'HANDOFF-2026-01-20-1430.md' : `HANDOFF-2026-01-20-1430-${n}.md`));
  expect(names.sort(compareArchives)).toEqual([names[2], names[1], names[0]].sort(compareArchives));
  expect(names[2]).toMatch(/-10\.md$/);
});

test('the prompts name absolute paths, the reason, the id and their own mark', () => {
  const words = {
    documentPath: '/p/docs/HANDOFF.md',
    templatePath: '/p/docs/T.md',
    task: 'the parser',
    sizeThreshold: 500,
  };
  const handoff = { id, reason: 'context threshold' as const, archived: [], tokensBefore: 1, author: 'agent' as const };
  for (const purpose of ['handoff', 'correction', 'shorter', 'update', 'again'] as const) {
    const text = askPrompt(purpose, handoff, 'h-1/3', words, [{ section: 'Notes', problem: 'it is empty' }]);
    expect(text.split('\n'), purpose).toContain('Handoff-Id: h-1');
    expect(text.split('\n').at(-1), purpose).toBe('Baton-Message: h-1/3');
    expect(text).toContain('/p/docs/HANDOFF.md');
    expect(text).toContain('/p/docs/T.md');
    expect(text).not.toMatch(/^[/!#]/);
  }
  expect(askPrompt('handoff', handoff, 'm', words, [])).toContain('Reason: context threshold');
  expect(askPrompt('correction', handoff, 'm', words, [{ section: 'Notes', problem: 'it is empty' }])).toContain(
    '- section "Notes": it is empty',
  );
  const resume = resumePrompt(handoff, 'h-1/4', words);
  for (const said of ['/p/docs/HANDOFF.md', 'the parser', 'Handoff-Id: h-1', 'Baton-Message: h-1/4'])
    expect(resume).toContain(said);
  expect(commitMessage(id)).toBe('docs: orchestrator handoff checkpoint\n\nHandoff-Id: h-1\n');
});
