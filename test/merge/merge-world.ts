// A workspace on the disk with the outputs of some agents, for the tests of the merge.

import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach } from 'vitest';
import { type MergeInput, runMerge } from '../../src/merge/merge-runner.ts';
import type { ConflictReport, MergeRecord } from '../../src/protocol/conflicts.ts';
import { MergeResult } from '../../src/protocol/report.ts';

export type Content = string | Buffer | { link: string } | { run: string } | { empty: true };
export type Tree = Record<string, Content>; // path below the output → content
export type AgentSpec = {
  name: string;
  after?: string[];
  outputs: Record<string, { name: string; tree: Tree | Content }>;
  inputs?: string[];
};
export type World = ReturnType<typeof makeWorld>;

const made: string[] = [];
export function removeWorlds(): void {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
}
afterEach(removeWorlds);

const isContent = (tree: Tree | Content): tree is Content =>
  typeof tree === 'string' || Buffer.isBuffer(tree) || ['link', 'run', 'empty'].some(key => key in tree);

export function put(file: string, content: Content): void {
  mkdirSync(path.dirname(file), { recursive: true });
  if (typeof content === 'string' || Buffer.isBuffer(content)) writeFileSync(file, content);
  else if ('link' in content) symlinkSync(content.link, file);
  else if ('empty' in content) mkdirSync(file, { recursive: true });
  else {
    writeFileSync(file, content.run);
    chmodSync(file, 0o755);
  }
}

export function makeWorld(agents: AgentSpec[], options: Partial<MergeInput> & { past?: Record<string, string> } = {}) {
  const { past = {}, ...rest } = options;
  const workspace = realpathSync(mkdtempSync(path.join(tmpdir(), 'baton-merge-')));
  made.push(workspace);
  const inWorkspace = (...parts: string[]) => path.join(workspace, ...parts);
  const input: MergeInput = {
    executionId: 'exec-1',
    workspace,
    strategy: strategyOf('file_merge', 'manual_review'),
    agents: agents.map(agent => {
      const outputs = Object.entries(agent.outputs).map(([key, { name, tree }]) => {
        const root = inWorkspace('outputs', agent.name, key, name);
        mkdirSync(path.dirname(root), { recursive: true });
        if (isContent(tree)) put(root, tree);
        else for (const [below, content] of Object.entries(tree)) put(path.join(root, below), content);
        return [key, root] as const;
      });
      return { name: agent.name, dependencies: agent.after ?? [], outputs: Object.fromEntries(outputs) };
    }),
    inputs: agents.flatMap(({ name, inputs = [] }) => inputs.map(file => ({ agent: name, path: inWorkspace(file) }))),
    baseFromCheckpoint: async file => {
      const content = past[path.relative(workspace, file)];
      return content === undefined ? null : Buffer.from(content);
    },
    allowedRoots: [workspace],
    taken: {},
    now: '2026-01-01T00:00:00Z',
    ...rest,
  };
  return {
    input,
    workspace,
    in: inWorkspace,
    read: (...parts: string[]) => readFileSync(inWorkspace(...parts), 'utf8'),
    has: (...parts: string[]) => existsSync(inWorkspace(...parts)),
    list: (folder: string) => (existsSync(inWorkspace(folder)) ? listTree(inWorkspace(folder)) : []),
    record: () => JSON.parse(readFileSync(inWorkspace('merge/record.json'), 'utf8')) as MergeRecord,
    conflicts: () => JSON.parse(readFileSync(inWorkspace('conflicts.json'), 'utf8')) as ConflictReport,
    run: async (more: Partial<MergeInput> = {}) => {
      const outcome = await runMerge({ ...input, ...more });
      MergeResult.parse(outcome.result);
      return outcome;
    },
  };
}

export function strategyOf(
  type: MergeInput['strategy']['type'],
  conflict_resolution: MergeInput['strategy']['conflict_resolution'],
  validation = { semantic_consistency: true, schema_validation: true },
): MergeInput['strategy'] {
  return { type, conflict_resolution, validation };
}

// Every file, link and empty folder below, sorted.
export function listTree(folder: string, below = ''): string[] {
  return readdirSync(path.join(folder, below), { withFileTypes: true })
    .flatMap(entry => {
      const name = path.join(below, entry.name);
      if (!entry.isDirectory()) return [name];
      const inside = listTree(folder, name);
      return inside.length > 0 ? inside : [`${name}/`];
    })
    .sort();
}

// What stands at a path: the bytes of a file, or the target of a link. It never follows.
export function versionAt(file: string): { kind: 'file' | 'link'; bytes: Buffer } {
  const isLink = lstatSync(file).isSymbolicLink();
  return isLink
    ? { kind: 'link', bytes: Buffer.from(readlinkSync(file)) }
    : { kind: 'file', bytes: readFileSync(file) };
}

export const isExecutable = (file: string) => (lstatSync(file).mode & 0o111) !== 0;
export const pack = (nodes: object[], edges: object[] = []) => JSON.stringify({ ctxpack: 1, nodes, edges });
