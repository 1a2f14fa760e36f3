// The law of the merge, checked by reading the disk: every version of every file an agent produced is whole
// in merged/, in a conflict record, or kept unchanged. And merge/record.json must tell the truth about it.

import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import type { MergeOutcome } from '../../src/merge/merge-runner.ts';
import { ConflictReport, type FileFate, MergeRecord } from '../../src/protocol/conflicts.ts';
import type { MergeResult } from '../../src/protocol/report.ts';
import { listTree, versionAt, type World } from './merge-world.ts';

export type Version = { agent: string; output: string; source: string; kind: 'file' | 'link'; sha256: string };
const sha = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
const hashAt = (file: string) => sha(versionAt(file).bytes);

// Every file and link the agents produced, as it is on the disk now.
export function versionsOf({ input }: World): Version[] {
  return input.agents.flatMap(({ name, outputs }) =>
    Object.entries(outputs).flatMap(([key, root]) => {
      const isFolder = lstatSync(root).isDirectory();
      const files = isFolder ? listTree(root).filter(below => !below.endsWith('/')) : [''];
      return files.map(below => {
        const source = path.join(root, below);
        const { kind, bytes } = versionAt(source);
        return { agent: name, output: key, source, kind, sha256: sha(bytes) };
      });
    }),
  );
}

export function checkLaw(world: World, before: Version[], { result, conflicts }: MergeOutcome): void {
  expect(versionsOf(world), 'the outputs are untouched').toEqual(before);
  expect(world.has('merged'), 'merged/ is there only after a success').toBe(result.status === 'success');
  expect(world.has('merged.tmp')).toBe(false);
  // A merge that could not even read its outputs leaves them, and only them.
  if (result.record === null) {
    expect(result).toMatchObject({ status: 'failed', reason: expect.stringMatching(/link .* (leads out|never ends)/) });
    return;
  }
  checkWhole(world, before);
  checkRecord(world, before);
  checkTold(world, { result, conflicts, warnings: [] });
}

function checkWhole(world: World, before: Version[]): void {
  const inMerged = new Set(
    world
      .list('merged')
      .filter(below => !below.endsWith('/'))
      .map(below => versionAt(world.in('merged', below)))
      .map(({ kind, bytes }) => `${kind}:${sha(bytes)}`),
  );
  const kept = new Set(readdirSync(world.in('merge/kept')));
  for (const name of kept) expect(hashAt(world.in('merge/kept', name)), 'a kept copy is what its name says').toBe(name);
  const sides = world.has('conflicts.json')
    ? ConflictReport.parse(world.conflicts()).conflicts.flatMap(c => c.sides)
    : [];
  for (const { sha256, kept_at } of sides) expect(hashAt(kept_at), 'a side is kept').toBe(sha256);
  const shown = sides.filter(side => side.encoding !== 'file');
  const inConflicts = new Set(
    shown.map(({ content, encoding }) => sha(Buffer.from(content, encoding as BufferEncoding))),
  );
  for (const { source, kind, sha256 } of before) {
    const isWhole = inMerged.has(`${kind}:${sha256}`) || kept.has(sha256) || inConflicts.has(sha256);
    expect(isWhole, `${source} is lost`).toBe(true);
  }
}

function checkRecord(world: World, before: Version[]): void {
  const { files } = MergeRecord.parse(world.record());
  const key = (one: { agent: string; output: string; source: string; sha256: string }) =>
    [one.agent, one.output, one.source, one.sha256].join(' ');
  expect(files.map(key).sort(), 'the record lists every file once').toEqual(before.map(key).sort());
  const kinds = new Map(before.map(version => [version.source, version.kind]));
  for (const { source, sha256, fate, at } of files) {
    const isMerged = at.startsWith(world.in('merged/'));
    expect(isMerged, `${source}: ${fate}`).toBe(fate === 'merged');
    expect(hashAt(at), `${source} is whole at ${at}`).toBe(sha256);
    if (isMerged) expect(versionAt(at).kind).toBe(kinds.get(source));
  }
}

// What is not in merged/ was told: as a conflict, as discarded, or because others wrote the same path.
function checkTold(world: World, { result, conflicts }: MergeOutcome): void {
  const { files } = world.record();
  const names = files.map(file => `${nameOf(world, file)}`);
  const discarded = new Set(
    result.resolutions.flatMap(one => one.discarded.map(({ agent, sha256 }) => agent + sha256)),
  );
  const disputing = new Set(result.conflicts.flatMap(conflict => conflict.agents));
  for (const [i, { agent, sha256, fate, source }] of files.entries()) {
    if (fate === 'discarded') expect(discarded, `${source} is told as discarded`).toContain(agent + sha256);
    if (fate === 'conflict') expect(disputing, `${source} is told as a conflict`).toContain(agent);
    if (result.status !== 'success' || fate === 'merged') continue;
    const isShared = files.some((other, k) => other.agent !== agent && names[k] === names[i]);
    expect(isShared || source.endsWith('.ctxp'), `${source} had no rival, so it is in merged/`).toBe(true);
    if (fate === 'source' && !source.endsWith('.ctxp')) checkSource(world, files[i]!, result);
  }
  expect(conflicts !== null).toBe(world.has('conflicts.json'));
  if (result.status === 'conflict') expect(result.conflicts).not.toEqual([]);
  if (result.status === 'success') expect(result.conflicts).toEqual([]);
  for (const { discarded: lost } of result.resolutions) {
    for (const { sha256, kept_at } of lost) expect(hashAt(kept_at)).toBe(sha256);
  }
}

// A source of a merge nobody chose in: what it added to the base is in the merged file, line by line.
function checkSource(world: World, { agent, output, source }: FileFate, { resolutions }: MergeResult): void {
  const root = world.input.agents.find(one => one.name === agent)!.outputs[output]!;
  const below = path.relative(root, source);
  const places = ['', '.2', '.3', '.4'].map(ending => path.join(`${path.basename(root)}${ending}`, below));
  const isChosen = resolutions.some(({ path: at }) => places.some(place => place === at || place.startsWith(`${at}/`)));
  if (isChosen) return;
  const base = new Set(linesAt(world.in('shared', below || path.basename(root))));
  const merged = places.filter(place => world.has('merged', place)).map(place => linesAt(world.in('merged', place)));
  const added = linesAt(source).filter(line => !base.has(line));
  const hasAll = merged.some(lines => added.every(line => lines.includes(line)));
  expect(hasAll, `what ${source} added is in merged/`).toBe(true);
}

const linesAt = (file: string) => (existsSync(file) ? String(versionAt(file).bytes).split('\n') : []);

function nameOf(world: World, { agent, output }: { agent: string; output: string }): string {
  return path.basename(world.input.agents.find(one => one.name === agent)!.outputs[output]!);
}
