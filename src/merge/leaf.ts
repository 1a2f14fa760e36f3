// The words of the merge: what was found in the outputs, where it goes, and what is in dispute. No logic.

import type { CtxNode } from '../protocol/ctxpack.ts';

// One file, link or empty folder of one output, as it was when it was read. "body" is absent where it is
// too large to hold; it is then read again, and its hash compared, at the moment of use.
export type Leaf = {
  agent: string;
  output: string;
  source: string;
  real: string;
  path: string; // below the output; '' when the output is this very file
  kind: 'file' | 'link' | 'folder';
  sha256: string; // of the content; of the target text for a link
  bytes: number;
  executable: boolean;
  body: Buffer | null;
};

export type ScannedOutput = { agent: string; key: string; root: string; name: string; leaves: Leaf[] };

export type PlacedLeaf = Leaf & { at: string; target: string }; // both below merged/

// Everything several agents say about one path. "shape": one says file, another says folder.
export type Contest = { path: string; target: string; shape: boolean; sides: PlacedLeaf[] };

// What will stand in merged/.
export type Entry = {
  path: string;
  target: string;
  kind: Leaf['kind'];
  executable: boolean;
  sha256: string;
  from: Leaf | null; // null: "body" is new content, made by the merge
  body: Buffer | null;
};

export type Base = { source: string; sha256: string; executable: boolean; body: Buffer };

export type Side = Pick<Leaf, 'agent' | 'source' | 'sha256' | 'bytes' | 'executable' | 'body'> & {
  kind: Leaf['kind'] | 'node';
  leaf: PlacedLeaf | null;
  node: CtxNode | null;
};

export type Dispute = {
  id: string;
  kind: 'file' | 'ctxpack_node';
  path: string;
  target: string;
  shape: boolean;
  reason: string;
  base: Base | null;
  sides: Side[];
};

// How a dispute was decided: for one agent's version, or for new bytes.
export type Verdict = {
  rule: string;
  chosen: string;
  keeps: { agent: string } | { body: Buffer; executable: boolean };
};

export type Resolved = { dispute: Dispute; verdict: Verdict };

// Two versions are one when this is equal.
export const versionOf = (side: { kind: string; sha256: string }) => `${side.kind}:${side.sha256}`;
