// The declared outputs of an agent, each with what is wrong about it.

import { lookAtOutput } from '../files/look-at-output.ts';
import { fingerprintTree } from '../files/walk-tree.ts';
import type { SettledAgent } from './context.ts';
import { type Before, isInPlace } from './prepare-attempt.ts';

export async function lookAtOutputs(agent: SettledAgent, roots: readonly string[], before: Before | null) {
  const looked = Object.entries(agent.outputs).map(async ([slot, output]) => {
    let complaint = await lookAtOutput(output, roots);
    if (complaint === null && before !== null && isInPlace(agent, output)) {
      const same = before.fingerprints[slot] === (await fingerprintTree(output));
      if (same) complaint = `is unchanged: ${output}`;
    }
    return [slot, { path: output, complaint }] as const;
  });
  return Object.fromEntries(await Promise.all(looked));
}
