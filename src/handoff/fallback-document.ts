// The handoff document as the watchdog writes it when the agent cannot: only facts, marked as such, in the
// sections of whatever template the project has. Passes checkDocument. Pure.

import { createHash } from 'node:crypto';
import { withoutSecrets } from '../files/secret-assignments.ts';
import type { HandoffReason } from '../protocol/handoff.ts';
import { idLine } from './handoff-prompts.ts';
import { parseTemplate, sameTitle } from './template.ts';

export type FallbackFacts = {
  id: string;
  at: number;
  reason: HandoffReason;
  why: string; // why the agent did not write it
  tokens: number | null;
  agent: string;
  task: string;
  template: string;
  maxLines: number;
  git: { branch: string | null; head: string | null; changed: readonly string[] } | null; // null: no repository
  messages: readonly { who: 'user' | 'agent'; text: string }[]; // the last ones of the transcript, oldest first
  todos: readonly { text: string; status: string }[];
  workers: readonly { name: string; task: string; status: string; branch: string | null; at: string | null }[];
  archived: readonly string[];
};

export const FALLBACK_MARK = 'Written by the watchdog of Baton, not by the agent';

const MOST = { changed: 60, messages: 10, todos: 40, workers: 60, message: 1200 };

// Only as it was written: once anybody has changed a word it is theirs, whatever mark they left in it.
export function isFallback(text: string): boolean {
  const sum = SUM.exec(text)?.[1];
  return sum !== undefined && text.includes(`> ${FALLBACK_MARK}`) && sumOf(text) === sum;
}

const SUM = /^> Sum: ([0-9a-f]{16})$/m;
const sumOf = (text: string): string =>
  createHash('sha256').update(text.replace(SUM, '> Sum: ')).digest('hex').slice(0, 16);

// `redact` knows the secrets of this machine; what looks like one by its shape or its name is taken out anyway.
export function fallbackDocument(given: FallbackFacts, redact: (text: string) => string): string {
  const facts = sober({ ...given, messages: given.messages.slice(-MOST.messages) }, redact);
  const text = shortest(facts);
  return text.replace(SUM, `> Sum: ${sumOf(text)}`);
}

function written(facts: FallbackFacts): string {
  const { sections, placeholders } = parseTemplate(facts.template);
  const wanted = sections.map(({ title }) => ({
    title,
    lines: known.find(one => sameTitle(one.title, title))?.of(facts),
  }));
  const rest = known.filter(one => !sections.some(section => sameTitle(section.title, one.title)));
  const body = [
    ...wanted.map(({ title, lines }) =>
      part(title, lines ?? ['none known: the watchdog has no facts for this section']),
    ),
    // A template of the project's own must not cost what is known.
    ...rest.map(({ title, of }) => part(title, of(facts))),
  ];
  const head = [
    '# Orchestration Handoff',
    '',
    idLine(facts.id),
    '',
    `> ${FALLBACK_MARK}: ${facts.why}.`,
    '> It holds facts only. Check them before relying on them.',
    `> Sum: ${'0'.repeat(16)}`,
    '',
  ];
  const text = `${[...head, ...body].join('\n').trimEnd()}\n`;
  return placeholders.reduce((left, placeholder) => left.replaceAll(placeholder, '(not known)'), text);
}

const known: { title: string; of: (facts: FallbackFacts) => string[] }[] = [
  {
    title: 'Session Info',
    of: ({ at, reason, tokens, agent, git }) => [
      `- **Timestamp**: ${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`,
      `- **Reason**: ${reason}`,
      `- **Context at handoff**: ${tokens === null ? 'not known' : `${tokens} tokens`}`,
      `- **Agent**: ${agent}`,
      `- **Git**: ${git === null ? 'no repository' : `branch ${git.branch ?? '(detached)'}, commit ${git.head ?? '(none yet)'}`}`,
    ],
  },
  {
    title: 'Active Workers',
    of: ({ workers }) =>
      workers.length === 0
        ? ['none known to the watchdog']
        : [
            '| Session | Task | Status | Branch | Last Update |',
            '|---------|------|--------|--------|-------------|',
            ...workers
              .slice(-MOST.workers)
              .map(
                one =>
                  `| ${[one.name, one.task, one.status, one.branch ?? '-', one.at ?? '-'].map(cell).join(' | ')} |`,
              ),
          ],
  },
  {
    title: 'Pending Tasks',
    of: ({ todos, task }) => [
      `- [ ] The task at hand: ${oneLine(task)}`,
      ...todos
        .filter(todo => todo.status !== 'completed')
        .slice(0, MOST.todos)
        .map(todo => `- [ ] ${oneLine(todo.text)} (${oneLine(todo.status)})`),
    ],
  },
  { title: 'Blocked Items', of: ({ why }) => [`none known, but for this: ${oneLine(why)}`] },
  {
    title: 'Recent Events',
    of: ({ messages, git }) => [
      ...(git === null || git.changed.length === 0
        ? ['Uncommitted changes: none known to git']
        : ['Uncommitted changes:', ...few(git.changed, MOST.changed).map(file => `- \`${oneLine(file)}\``)]),
      '',
      ...(messages.length === 0 ? ['Last messages: none could be read'] : ['Last messages of the session:']),
      ...messages.slice(-MOST.messages).flatMap(({ who, text }) => ['', `${who}:`, ...quoted(text)]),
    ],
  },
  {
    title: 'Next Actions',
    of: ({ git }) => [
      '1. Read the last messages above and, where it helps, the files they name.',
      git === null
        ? '2. Look at the files of the project.'
        : '2. Run `git status` and `git log -5`, and look at the uncommitted changes.',
      '3. Go on with the task at hand.',
    ],
  },
  {
    title: 'Notes',
    of: ({ archived }) => [
      archived.length === 0
        ? 'none: nothing was archived in this handoff'
        : `Earlier documents: ${archived.map(oneLine).join(', ')}`,
    ],
  },
];

const part = (title: string, lines: readonly string[]): string => `## ${title}\n\n${lines.join('\n')}\n`;
const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim().slice(0, 500) || '(empty)';
const cell = (text: string): string => oneLine(text).replaceAll('|', '\\|');
const quoted = (text: string): string[] =>
  (text.trim().slice(0, MOST.message) || '(empty)')
    .split(/\r\n|\r|\n/)
    .slice(0, 20)
    .map(line => `> ${line}`);

function few(items: readonly string[], most: number): string[] {
  return items.length <= most ? [...items] : [...items.slice(0, most), `and ${items.length - most} more`];
}

// What an agent said may hold anything; the document may not.
function sober<T>(value: T, redact: (text: string) => string): T {
  if (typeof value === 'string') {
    return withoutSecrets(redact(value)).replace(/[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/g, '') as T;
  }
  if (Array.isArray(value)) return value.map(item => sober(item, redact)) as T;
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, key === 'template' ? item : sober(item, redact)]),
  ) as T;
}

// Messages go first when it would be too long, then the changed files: each can be found elsewhere.
function shortest(facts: FallbackFacts): string {
  const text = written(facts);
  const isLong = text.split('\n').length - 1 > facts.maxLines;
  if (!isLong) return text;
  if (facts.messages.length > 0)
    return shortest({ ...facts, messages: facts.messages.slice(1 - facts.messages.length || 1) });
  if (facts.git !== null && facts.git.changed.length > 5)
    return shortest({ ...facts, git: { ...facts.git, changed: facts.git.changed.slice(0, 5) } });
  return text;
}
