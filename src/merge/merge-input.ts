// What runMerge is told, and what it answers.

import type { ConflictReport } from '../protocol/conflicts.ts';
import type { MergeResult, ReportWarning } from '../protocol/report.ts';
import type { MergeStrategy } from '../protocol/request.ts';

export type MergeInput = {
  executionId: string;
  workspace: string; // absolute, real path; everything is written below it
  strategy: MergeStrategy;
  // Successful agents only, in request order. Dependencies are direct names and may name agents not listed.
  agents: { name: string; dependencies: string[]; outputs: Record<string, string> }[];
  inputs: { agent: string; path: string }[]; // absolute input paths of these agents
  baseFromCheckpoint: (absolutePath: string) => Promise<Buffer | null>; // what a path held before the run
  allowedRoots: string[]; // absolute real folders outputs may lie in, the workspace included
  taken: Record<string, { agent: string } | { file: string }>; // by conflict id
  now: string; // ISO time
};

export type MergeOutcome = { result: MergeResult; conflicts: ConflictReport | null; warnings: ReportWarning[] };
