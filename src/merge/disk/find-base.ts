// Finds what the sides of a contest started from: the same file in an input that at least two of them
// share, as it was when they started; else what their own places held at the checkpoint.

import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Base, Contest } from '../leaf.ts';
import { isInside, readGuarded, sha256Of } from './read-guarded.ts';

export type BaseFacts = {
  agents: { outputs: Record<string, string> }[];
  inputs: { agent: string; path: string }[];
  baseFromCheckpoint: (absolutePath: string) => Promise<Buffer | null>;
};

export async function findBase(contest: Contest, facts: BaseFacts): Promise<Base | null> {
  const below = contest.sides[0]!.path || path.basename(contest.sides[0]!.source);
  const shared = sharedInputs(contest, facts.inputs);
  for (const input of shared) {
    const fromPast = () => readFromPast(input, below, facts);
    const fromDisk = () => readFromInput(input, below);
    // What an agent made during the run was not there before it. Everything else is taken as it was then:
    // an agent that worked on its input in place must not become the base of its own change.
    const found = isMade(input, below, facts) ? await fromDisk() : ((await fromPast()) ?? (await fromDisk()));
    if (found) return found;
  }
  return findOwnPast(contest, facts);
}

function isMade(input: string, below: string, { agents }: BaseFacts): boolean {
  const outputs = agents.flatMap(agent => Object.values(agent.outputs));
  return outputs.some(output => isInside(input, output) || isInside(path.join(input, below), output));
}

async function readFromPast(input: string, below: string, facts: BaseFacts): Promise<Base | null> {
  const places = [path.join(input, below), ...(path.basename(input) === below ? [input] : [])];
  for (const source of places) {
    const body = await facts.baseFromCheckpoint(source);
    if (!body) continue;
    // The checkpoint tells no modes here; the file itself may still.
    const now = await readFromInput(input, below);
    return { ...toBase(source, body), executable: now?.executable ?? false };
  }
  return null;
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
