// Finds what the sides of a contest started from: the same file in an input that at least two of them
// share, as it is on the disk or was at the checkpoint; else what their own places held at the checkpoint.

import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Base, Contest } from '../leaf.ts';
import { isInside, readGuarded, sha256Of } from './read-guarded.ts';

export type BaseFacts = {
  inputs: { agent: string; path: string }[];
  baseFromCheckpoint: (absolutePath: string) => Promise<Buffer | null>;
};

export async function findBase(contest: Contest, facts: BaseFacts): Promise<Base | null> {
  const below = contest.sides[0]!.path || path.basename(contest.sides[0]!.source);
  const shared = sharedInputs(contest, facts.inputs);
  for (const input of shared) {
    const found = await readFromInput(input, below);
    if (found) return found;
  }
  for (const input of shared) {
    const places = [path.join(input, below), ...(path.basename(input) === below ? [input] : [])];
    for (const source of places) {
      const body = await facts.baseFromCheckpoint(source);
      if (body) return toBase(source, body);
    }
  }
  return findOwnPast(contest, facts);
}

// Inputs that most sides share come first.
function sharedInputs(contest: Contest, inputs: BaseFacts['inputs']): string[] {
  const sides = new Set(contest.sides.map(side => side.agent));
  const users = Map.groupBy(
    inputs.filter(input => sides.has(input.agent)),
    input => path.resolve(input.path),
  );
  const counted = [...users].map(([input, uses]) => ({ input, count: new Set(uses.map(use => use.agent)).size }));
  return counted
    .filter(({ count }) => count >= 2)
    .sort((a, b) => b.count - a.count)
    .map(({ input }) => input);
}

async function readFromInput(input: string, below: string): Promise<Base | null> {
  try {
    const root = await realpath(input);
    const isFolder = (await stat(root)).isDirectory();
    if (!isFolder && path.basename(input) !== below) return null;
    const source = isFolder ? path.join(root, below) : root;
    const real = await realpath(source);
    if (real !== source || !isInside(real, root)) return null;
    const { body, sha256, executable } = await readGuarded({ source, real });
    if (!body) return null;
    return { source: isFolder ? path.join(input, below) : input, sha256, body, executable };
  } catch {
    return null; // an input that is gone or cannot be read is no base; the conflict then says so
  }
}

// The places of the sides before the run: a base only if two of them agree on it and none differs.
async function findOwnPast(contest: Contest, facts: BaseFacts): Promise<Base | null> {
  const past: Base[] = [];
  for (const { source } of contest.sides) {
    const body = await facts.baseFromCheckpoint(source);
    if (body) past.push(toBase(source, body));
  }
  const agree = new Set(past.map(base => base.sha256)).size === 1;
  return past.length >= 2 && agree ? past[0]! : null;
}

// The checkpoint tells no modes here; a file counts as not executable then.
function toBase(source: string, body: Buffer): Base {
  return { source, sha256: sha256Of(body), body, executable: false };
}
