// Takes secrets out of what Baton writes or shows: by the values of secret-looking variables, in every
// form they commonly travel in, and by well-known shapes. One redactor per execution.

import { redactFile } from './redact-file.ts';
import { looksSecret } from './secret-names.ts';
import { LONGEST_SHAPE, secretShapes } from './secret-shapes.ts';

export type Redactor = {
  names: string[];
  text(text: string): string;
  value<T>(value: T): T;
  file(path: string): Promise<boolean>;
};

// A finder replaces all it knows in a text; `reach` is the longest match it can make.
export type Finder = { pattern: RegExp; reach: number; replacement(match: string): string };

// A line of a many-line secret is searched for by itself, as logs indent and cut lines.
const MIN_LINE = 16;

export function makeRedactor(env: Record<string, string | undefined>): Redactor {
  const names = Object.keys(env).filter(name => looksSecret(name, env[name] ?? ''));
  const needles = new Map<string, string>();
  for (const name of names) {
    for (const form of formsOf(env[name] ?? '')) if (!needles.has(form)) needles.set(form, name);
  }
  const finder = toFinder(needles);
  // Files are handled byte for byte: as latin1 nothing is lost in bytes that are not text.
  const bytes = toFinder(new Map([...needles].map(([form, name]) => [Buffer.from(form).toString('latin1'), name])));
  const text = (given: string) => given.replace(finder.pattern, finder.replacement);
  return { names, text, value: given => deep(given, text), file: path => redactFile(path, bytes) };
}

function formsOf(secret: string): Set<string> {
  const forms = new Set<string>();
  const lines = secret.split(/\r?\n/).map(line => line.trim());
  const parts = lines.length > 1 ? lines.filter(line => line.length >= MIN_LINE && !line.startsWith('-----')) : [];
  for (const part of [secret, secret.trim(), ...parts]) {
    const escaped = inJson(part);
    const ascii = escaped.replace(/[\u0080-\uffff]/g, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
    for (const form of [part, escaped, inJson(escaped), ascii, escaped.replaceAll('/', '\\/')]) forms.add(form);
    forms.add(encodeURIComponent(part.toWellFormed()));
    forms.add(Buffer.from(part).toString('base64').replace(/=+$/, ''));
  }
  return forms;
}

const inJson = (text: string) => JSON.stringify(text).slice(1, -1);

function toFinder(needles: Map<string, string>): Finder {
  const longestFirst = [...needles.keys()].sort((a, b) => b.length - a.length);
  const literal = longestFirst.map(needle => needle.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'));
  const replacement = (match: string) => {
    const name = needles.get(match);
    return name === undefined ? '[redacted]' : `[redacted:${name.replace(/[^A-Za-z0-9_.-]/g, '_')}]`;
  };
  const reach = Math.max(LONGEST_SHAPE, longestFirst[0]?.length ?? 0);
  return { pattern: new RegExp([...literal, ...secretShapes].join('|'), 'g'), reach, replacement };
}

function deep<T>(value: T, text: (text: string) => string): T {
  if (typeof value === 'string') return text(value) as T;
  if (Array.isArray(value)) return value.map(item => deep(item, text)) as T;
  if (value === null || typeof value !== 'object') return value;
  // fromEntries defines "__proto__" as an ordinary key.
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [text(key), deep(item, text)])) as T;
}
