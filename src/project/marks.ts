// Text of ours inside files that belong to others, found again by its marks. The end mark carries a sum of the
// text between them: what somebody changed since is theirs and is left alone. Pure. Files are handled as latin1,
// so that bytes that are no UTF-8 come out as they went in.

import { createHash } from 'node:crypto';

const BEGIN = '<!-- baton:handoff begin: written by `baton init`, taken out by `baton init --remove` -->';
const BEGINS = /<!-- baton:handoff begin\b[^\n]*?-->/g;
const ENDS = /<!-- baton:handoff end (\w{12}) (new|\+\d) -->/g;
const ANY = /baton:handoff (?:begin|end)/g;

export type Section = {
  before: string;
  body: string; // between the marks, as it stands there
  after: string;
  isUnchanged: boolean;
  origin: 'new' | number; // the file was made for it, or the line ends put between it and the text before
};
export type Found = { kind: 'none' } | { kind: 'damaged'; why: string } | { kind: 'section'; section: Section };

export function findSection(text: string): Found {
  const marks = text.match(ANY)?.length ?? 0;
  if (marks === 0) return { kind: 'none' };
  const [begins, ends] = [[...text.matchAll(BEGINS)], [...text.matchAll(ENDS)]];
  const [begin, end] = [begins[0], ends[0]];
  if (marks !== 2 || begins.length !== 1 || ends.length !== 1 || begin!.index > end!.index) {
    const why = `${begins.length} begin and ${ends.length} end marks of Baton that can be read, ${marks} in all`;
    return { kind: 'damaged', why: `holds ${why}; one of each, in this order, is wanted` };
  }
  const body = text.slice(begin!.index + begin![0].length, end!.index);
  const [, sum, origin] = end! as unknown as [string, string, string];
  return {
    kind: 'section',
    section: {
      before: text.slice(0, begin!.index),
      body,
      after: text.slice(end!.index + end![0].length),
      isUnchanged: sumOf(body) === sum,
      origin: origin === 'new' ? 'new' : Number(origin.slice(1)),
    },
  };
}

// null: no such file yet.
export function addSection(text: string | null, content: string): string {
  if (text === null) return `${marked(content, '\n', 'new')}\n`;
  const eol = lineEndOf(text);
  const gap = text === '' || text.endsWith(eol + eol) ? 0 : text.endsWith(eol) ? 1 : 2;
  return text + eol.repeat(gap) + marked(content, eol, gap) + eol;
}

export function replaceSection({ before, body, after, origin }: Section, content: string): string {
  return before + marked(content, body.startsWith('\r\n') ? '\r\n' : '\n', origin) + after;
}

// null: nothing but the section was ever in the file.
export function removeSection({ before, body, after, origin }: Section): string | null {
  const eol = body.startsWith('\r\n') ? '\r\n' : '\n';
  const rest = after.startsWith(eol) ? after.slice(eol.length) : after;
  if (origin === 'new' && before === '' && rest === '') return null;
  let head = before;
  for (let left = origin === 'new' ? 0 : origin; left > 0 && head.endsWith(eol); left -= 1) {
    head = head.slice(0, -eol.length);
  }
  // What was written below since keeps a line of its own.
  const needsBreak = rest !== '' && head !== '' && !head.endsWith('\n');
  return head + (needsBreak ? eol : '') + rest;
}

function marked(content: string, eol: string, origin: Section['origin']): string {
  const body = `\n${toBytes(content).trimEnd()}\n`;
  const end = `<!-- baton:handoff end ${sumOf(body)} ${origin === 'new' ? 'new' : `+${origin}`} -->`;
  return BEGIN + body.replaceAll('\n', eol) + end;
}

export const sameContent = (section: Section, content: string): boolean =>
  section.body.replaceAll('\r\n', '\n') === `\n${toBytes(content).trimEnd()}\n`;

// The same for a file that is all ours: its last line carries the sum.
const SIGNATURE = /^([\s\S]*\n)<!-- baton:handoff (\w{12}) -->\r?\n?$/;

export function signed(content: string): string {
  const body = `${toBytes(content).trimEnd()}\n\n`;
  return `${body}<!-- baton:handoff ${sumOf(body)} -->\n`;
}

export function isSignedByUs(text: string): boolean {
  const [, body, sum] = SIGNATURE.exec(text) ?? [];
  return body !== undefined && sumOf(body) === sum;
}

// A checkout may turn the line ends; that changes nothing.
const sumOf = (body: string): string =>
  createHash('sha256').update(body.replaceAll('\r\n', '\n'), 'latin1').digest('hex').slice(0, 12);

const lineEndOf = (text: string): string => {
  const all = text.match(/\n/g)?.length ?? 0;
  const dos = text.match(/\r\n/g)?.length ?? 0;
  return dos * 2 > all ? '\r\n' : '\n';
};

const toBytes = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');
