// The choices of a person (`baton merge --take`) as verdicts. A choice that makes no sense is refused
// before anything is written.

import { readFile, stat } from 'node:fs/promises';
import { CtxNode } from '../../protocol/ctxpack.ts';
import { Fault } from '../../protocol/fault.ts';
import type { Dispute, Resolved } from '../leaf.ts';

export type Choice = { agent: string } | { file: string };

export async function readTaken(taken: Record<string, Choice>, disputes: Dispute[]): Promise<Resolved[]> {
  const byId = new Map(disputes.map(dispute => [dispute.id, dispute]));
  return Promise.all(
    Object.entries(taken).map(async ([id, choice]) => {
      const dispute = byId.get(id);
      if (!dispute) {
        const known = byId.size > 0 ? `It is one of: ${[...byId.keys()].join(', ')}.` : 'There are no conflicts.';
        throw new Fault('invalid', `There is no conflict ${id}.`, known);
      }
      return 'agent' in choice ? takeAgent(dispute, choice.agent) : takeFile(dispute, choice.file);
    }),
  );
}

function takeAgent(dispute: Dispute, agent: string): Resolved {
  const own = dispute.sides.filter(side => side.agent === agent);
  const names = [...new Set(dispute.sides.map(side => side.agent))].join(', ');
  if (own.length === 0) {
    throw new Fault('invalid', `"${agent}" is no side of conflict ${dispute.id}.`, `Take one of: ${names}; or a file.`);
  }
  if (!dispute.shape && new Set(own.map(side => side.sha256)).size > 1) {
    const kept = own.map(side => `merge/kept/${side.sha256}`).join(', ');
    throw new Fault('invalid', `"${agent}" has several versions in conflict ${dispute.id}.`, `Take a file: ${kept}.`);
  }
  return { dispute, verdict: { rule: 'taken', chosen: agent, keeps: { agent } } };
}

async function takeFile(dispute: Dispute, file: string): Promise<Resolved> {
  const { body, executable } = await readChoice(dispute, file);
  if (dispute.kind === 'ctxpack_node') checkNode(dispute, file, body);
  return { dispute, verdict: { rule: 'taken', chosen: file, keeps: { body, executable } } };
}

async function readChoice(dispute: Dispute, file: string) {
  try {
    const seen = await stat(file);
    // A pipe or device could wait for ever.
    if (!seen.isFile()) throw new Error('not an ordinary file');
    return { body: await readFile(file), executable: (seen.mode & 0o111) !== 0 };
  } catch (cause) {
    const message = `${file}, taken for conflict ${dispute.id}, cannot be read: ${(cause as Error).message}.`;
    throw new Fault('invalid', message, 'Give the path of an ordinary file.', { cause });
  }
}

function checkNode(dispute: Dispute, file: string, body: Buffer): void {
  const cure = 'Write the node as JSON: id, type, content, source.';
  try {
    const node = CtxNode.parse(JSON.parse(body.toString('utf8')));
    if (node.id === dispute.path) return;
  } catch (cause) {
    throw new Fault('invalid', `${file}, taken for conflict ${dispute.id}, is no node of a ctxpack.`, cure, { cause });
  }
  throw new Fault('invalid', `The node in ${file} does not have the id "${dispute.path}".`, cure);
}
