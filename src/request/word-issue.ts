// What zod found, said for a tired human: what is wrong with which key, and what to write instead.

import { nearest } from './nearest.ts';
import { listOf, quote, toPath } from './quote.ts';

// The parts of zod's issues that are used here. zod itself stays behind the door of src/protocol.
export type Issue = {
  code: string;
  path: PropertyKey[];
  message: string;
  expected?: string;
  values?: readonly unknown[];
  origin?: string;
  minimum?: number | bigint;
  maximum?: number | bigint;
  inclusive?: boolean;
  format?: string;
  pattern?: string;
  errors?: readonly (readonly Issue[])[];
  issues?: readonly Issue[];
  keys?: readonly string[];
};

type Wording = { message: string; cure: string };

const wanted: Record<string, string> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'an object { … }',
  record: 'an object { … }',
  array: 'a list [ … ]',
  null: 'null',
};

const count = (value: unknown) => Number(value).toLocaleString('en-US');

export function wordIssue(issue: Issue, found: unknown): Wording {
  const name = nameOf(issue.path);
  switch (issue.code) {
    case 'invalid_type':
      return wrongType(name, [issue.expected ?? 'value'], found);
    case 'invalid_union':
      return wrongUnion(name, issue, found);
    case 'invalid_value':
      return wrongChoice(name, issue.values ?? [], found);
    case 'too_small':
    case 'too_big':
      return wrongSize(name, issue, found);
    case 'invalid_format':
      return wrongForm(name, issue, found);
    case 'invalid_key':
      return wrongKey(issue);
    default:
      return ownMessage(name, issue.message, found);
  }
}

const nameOf = (path: readonly PropertyKey[]): string => {
  if (path.length === 0) return 'the top level';
  const last = path.at(-1);
  return typeof last === 'number' ? toPath(path.slice(-2)) : quote(String(last));
};

function wrongType(name: string, kinds: string[], found: unknown): Wording {
  const want = listOf([...new Set(kinds.map(kind => wanted[kind] ?? kind))], 'or');
  if (found === undefined) return { message: `${name} is missing; it must be ${want}`, cure: `add ${name}` };
  if (typeof found === 'number' && !Number.isFinite(found)) {
    return { message: `${name} is too large a number`, cure: 'write a smaller number' };
  }
  return { message: `${name} must be ${want}, but is ${toWords(found)}`, cure: typeCure(kinds[0]!, want, found) };
}

function typeCure(kind: string, want: string, found: unknown): string {
  if (typeof found === 'string') {
    const bare = found.trim();
    if ((kind === 'number' || kind === 'int') && bare !== '' && Number.isFinite(Number(bare))) {
      return `write it without quotes: ${Number(bare)}`;
    }
    if (kind === 'boolean' && /^(true|false)$/i.test(bare)) return `write it without quotes: ${bare.toLowerCase()}`;
    if (kind === 'array') return `put it into a list: [${quote(found)}]`;
  }
  if (kind === 'string' && (typeof found === 'number' || typeof found === 'boolean')) {
    return `put it in double quotes: "${found}"`;
  }
  return `write ${want}`;
}

function toWords(found: unknown): string {
  if (typeof found === 'string') return `the text ${quote(found)}`;
  if (typeof found === 'number') return `the number ${found}`;
  if (Array.isArray(found)) return 'a list';
  return typeof found === 'object' && found !== null ? 'an object' : String(found);
}

function wrongUnion(name: string, issue: Issue, found: unknown): Wording {
  const branches = (issue.errors ?? []).flatMap(branch => branch.slice(0, 1));
  const choices = branches.flatMap(branch => branch.values ?? []);
  const kinds = branches.flatMap(branch => (branch.code === 'invalid_type' ? [branch.expected ?? 'value'] : []));
  if (choices.length > 0) return wrongChoice(name, choices, found);
  return wrongType(name, kinds, found);
}

function wrongChoice(name: string, values: readonly unknown[], found: unknown): Wording {
  const choices = values.map(value => JSON.stringify(value));
  const want = choices.length === 1 ? choices[0]! : `one of ${listOf(choices, 'or')}`;
  if (found === undefined) return { message: `${name} is missing; it must be ${want}`, cure: `add ${name}` };
  const close =
    typeof found === 'string'
      ? nearest(
          found,
          values.filter(value => typeof value === 'string'),
        )
      : null;
  return {
    message: `${name} must be ${want}, but is ${toWords(found)}`,
    cure: close === null ? `write ${want}` : `write ${quote(close)}`,
  };
}

function wrongSize(name: string, issue: Issue, found: unknown): Wording {
  const small = issue.code === 'too_small';
  const limit = small ? issue.minimum : issue.maximum;
  if (issue.origin === 'string' || issue.origin === 'array') {
    const unit = issue.origin === 'string' ? 'characters' : 'items';
    const size = typeof found === 'string' || Array.isArray(found) ? found.length : 0;
    if (small && size === 0) {
      return { message: `${name} is empty`, cure: unit === 'items' ? 'write at least one item' : 'write a text' };
    }
    const bound = `${small ? 'at least' : 'at most'} ${count(limit)}`;
    return {
      message: `${name} has ${count(size)} ${unit}; ${bound} are allowed`,
      cure: `make it ${small ? 'longer' : 'shorter'}`,
    };
  }
  const word = small ? (issue.inclusive ? 'at least' : 'more than') : issue.inclusive ? 'at most' : 'less than';
  const bound = `${word} ${count(limit)}`;
  return { message: `${name} is ${String(found)}, but must be ${bound}`, cure: `write a number that is ${bound}` };
}

function wrongForm(name: string, issue: Issue, found: unknown): Wording {
  const shown = quote(String(found));
  if (issue.format === 'datetime') {
    return { message: `${name} is ${shown}, which is no point in time`, cure: 'write it like "2025-10-30T14:30:00Z"' };
  }
  if (issue.pattern?.includes('json:')) {
    const want = 'must be "exit", "number" or "json:" with the path of a field';
    return { message: `${name} is ${shown}, but ${want}`, cure: 'write it like "exit" or "json:total.lines.pct"' };
  }
  if (issue.message.startsWith('Invalid string')) {
    return { message: `${name} is ${shown}, which does not fit ${issue.pattern}`, cure: 'write only what fits' };
  }
  return { message: `${name} is ${shown}, but ${issue.message}`, cure: legalCure(String(found)) };
}

function wrongKey(issue: Issue): Wording {
  const key = String(issue.path.at(-1));
  const inner = issue.issues?.[0];
  if (key === '') return { message: 'a key is empty', cure: 'give it a name' };
  if (inner?.code === 'too_big') {
    return {
      message: `the key ${quote(key)} has more than ${count(inner.maximum)} characters`,
      cure: 'give it a shorter name',
    };
  }
  return {
    message: `the key ${quote(key)} is not allowed here: it ${inner?.message ?? 'has a wrong form'}`,
    cure: legalCure(key),
  };
}

// A legal name made of an illegal one, where something of it is left.
function legalCure(text: string): string {
  const legal = text
    .replace(/[^A-Za-z0-9_-]+/g, '-')
    .replace(/^[^A-Za-z]+|-+$/g, '')
    .slice(0, 40);
  return legal === '' ? 'choose another name' : `choose another name, e.g. ${quote(legal)}`;
}

// The schemas' own messages read "what is wrong; what to do".
function ownMessage(name: string, message: string, found: unknown): Wording {
  const [what, cure] = message.split(/; (.*)/s) as [string, string | undefined];
  const shown = typeof found === 'string' && found !== '' ? ` (${quote(found)})` : '';
  return { message: `${name}${shown} ${what}`, cure: cure ?? 'write a shorter path' };
}
