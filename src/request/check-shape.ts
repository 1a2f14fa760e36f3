// unknown → ExecutionRequest (or AgentConfig, or BatonConfig), or every problem of its shape at once.
// The schemas in src/protocol are the law; here their findings become problems a person can cure.

import { AgentConfig } from '../protocol/agent.ts';
import { BatonConfig } from '../protocol/config.ts';
import { ExecutionRequest, type Problem } from '../protocol/request.ts';
import { nearest } from './nearest.ts';
import { listOf, quote, toPath } from './quote.ts';
import { type Issue, wordIssue } from './word-issue.ts';

// What is read of a zod schema to learn which keys are known at a place.
type Schema = { shape?: object; element?: unknown; valueType?: unknown; unwrap?: () => unknown };

// Bounds the work on a hostile request.
const MAX_GUESSES = 500;

export function checkShape(value: unknown): { request: ExecutionRequest | null; problems: Problem[] } {
  const parsed = ExecutionRequest.safeParse(value);
  const problems = [...toProblems(parsed.error?.issues ?? [], value, ExecutionRequest), ...textProblems(value)];
  return { request: problems.length === 0 && parsed.success ? parsed.data : null, problems: unique(problems) };
}

export function checkAgentConfig(value: unknown): { config: AgentConfig | null; problems: Problem[] } {
  const parsed = AgentConfig.safeParse(value);
  const problems = [...toProblems(parsed.error?.issues ?? [], value, AgentConfig), ...textProblems(value)];
  return { config: problems.length === 0 && parsed.success ? parsed.data : null, problems: unique(problems) };
}

export function checkBatonConfig(value: unknown): { config: BatonConfig | null; problems: Problem[] } {
  const parsed = BatonConfig.safeParse(value);
  const problems = [...toProblems(parsed.error?.issues ?? [], value, BatonConfig), ...textProblems(value)];
  return { config: problems.length === 0 && parsed.success ? parsed.data : null, problems: unique(problems) };
}

function toProblems(issues: readonly Issue[], value: unknown, schema: Schema): Problem[] {
  return issues.flatMap(issue => {
    if (issue.code === 'unrecognized_keys') return unknownKeys(issue, schema);
    return [{ path: toPath(issue.path), ...wordIssue(issue, valueAt(value, issue.path)) }];
  });
}

function unknownKeys(issue: Issue, schema: Schema): Problem[] {
  const known = keysAt(schema, issue.path);
  return (issue.keys ?? []).map((key, index) => {
    const close = index < MAX_GUESSES ? nearest(key, known) : null;
    const path = toPath([...issue.path, key]);
    if (close !== null) {
      const message = `unknown key ${quote(key)}; did you mean ${quote(close)}?`;
      return { path, message, cure: `rename it to ${quote(close)}` };
    }
    const home = index < MAX_GUESSES ? homeOf(schema, key) : null;
    if (home !== null) {
      const message = `unknown key ${quote(key)}; it is known in ${home}`;
      return { path, message, cure: `move it to ${home}` };
    }
    const cure = `remove it; the keys known here are ${listOf(known, 'and')}`;
    return { path, message: `unknown key ${quote(key)}`, cure };
  });
}

function keysAt(schema: Schema, path: readonly PropertyKey[]): string[] {
  let here = bare(schema);
  for (const key of path) {
    const next = here.shape === undefined ? (here.element ?? here.valueType) : Reflect.get(here.shape, key);
    here = bare((next ?? {}) as Schema);
  }
  return Object.keys(here.shape ?? {});
}

// A key that is right, but stands elsewhere: "parallel_limit" belongs to execution_options.
function homeOf(schema: Schema, key: string, path: PropertyKey[] = []): string | null {
  const here = bare(schema);
  const shape = Object.entries(here.shape ?? {});
  if (path.length > 0 && Object.hasOwn(here.shape ?? {}, key)) return toPath(path).replaceAll('[0]', '[]');
  const inner: [PropertyKey, unknown][] = here.element === undefined ? shape : [[0, here.element]];
  for (const [name, next] of inner) {
    const home = homeOf((next ?? {}) as Schema, key, [...path, name]);
    if (home !== null) return home;
  }
  return null;
}

// Without what only says "optional" or "has a default". A list can be unwrapped too, but is not.
function bare(schema: Schema): Schema {
  let here = schema;
  while (here.element === undefined && here.unwrap !== undefined) here = here.unwrap() as Schema;
  return here;
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let here = value;
  for (const key of path) {
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, key)) return undefined;
    here = Reflect.get(here, key);
  }
  return here;
}

// What no text of a request may hold, wherever it stands: texts become arguments, variables and file names.
function textProblems(value: unknown, path: PropertyKey[] = []): Problem[] {
  if (typeof value === 'string') return oneText(value, path, nameIn(path));
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((item, index) => textProblems(item, [...path, index]));
  return Object.entries(value).flatMap(([key, item]) => {
    const here = [...path, key];
    const control = /[\u0001-\u001f\u007f-\u009f]/.test(key);
    if (control)
      return [{ path: toPath(here), message: `the key ${quote(key)} holds a control character`, cure: 'remove it' }];
    return [...oneText(key, here, `the key ${quote(key)}`), ...textProblems(item, here)];
  });
}

const nameIn = (path: readonly PropertyKey[]) => (path.length === 0 ? 'the top level' : toPath(path.slice(-1)));

function oneText(text: string, path: PropertyKey[], name: string): Problem[] {
  if (text.includes('\0')) {
    return [{ path: toPath(path), message: `${name} holds a NUL character`, cure: 'remove it' }];
  }
  if (!text.isWellFormed()) {
    const message = `${name} holds half a character (a lone surrogate such as \\ud800)`;
    return [{ path: toPath(path), message, cure: 'remove it or write the whole character' }];
  }
  return [];
}

// The first problem of a place says enough; unknown keys and duplicates of one place do not add to it.
function unique(problems: Problem[]): Problem[] {
  const seen = new Set<string>();
  return problems.filter(({ path }) => !seen.has(path) && seen.add(path));
}
