// Text of a JSON file → value, or the one reason why not, with its line and column. Stricter than JSON.parse:
// no key twice, no key that reaches into prototypes, no absurd size or depth. A leading BOM is let pass.

import type { Problem } from '../protocol/request.ts';
import { toPath } from './quote.ts';
import { type Flaw, scanJson } from './scan-json.ts';

export const MAX_REQUEST_BYTES = 5 * 1024 * 1024;

export type ParsedJson = { ok: true; value: unknown } | { ok: false; problem: Problem };

export function parseJson(text: string): ParsedJson {
  // A character is at least one byte: the cheap test first, so that a giant is not even measured.
  if (text.length > MAX_REQUEST_BYTES || Buffer.byteLength(text) > MAX_REQUEST_BYTES) {
    return { ok: false, problem: tooLarge() };
  }
  const body = text.startsWith('\ufeff') ? text.slice(1) : text;
  const flaw = scanJson(body);
  if (flaw !== null) return { ok: false, problem: toProblem(body, flaw) };
  return { ok: true, value: JSON.parse(body) as unknown };
}

export function tooLarge(): Problem {
  return {
    path: '',
    message: `larger than ${MAX_REQUEST_BYTES / 1024 / 1024} MB`,
    cure: 'put long texts into files and name them as inputs',
  };
}

function toProblem(text: string, flaw: Flaw): Problem {
  const before = text.slice(0, flaw.at).split(/\r\n|\n|\r/);
  const where = `line ${before.length}, column ${before.at(-1)!.length + 1}`;
  return { path: toPath(flaw.keys), message: `${where}: ${flaw.message}`, cure: flaw.cure };
}
