// What an agent says of itself: its agent_result.json, or what is wrong with it.

import { lstat } from 'node:fs/promises';
import { AgentResult } from '../protocol/agent.ts';
import { NotRegular, readRegular } from './read-file.ts';

const MAX_RESULT_BYTES = 1024 * 1024;

export async function readResult(
  file: string,
  isOwed: boolean,
): Promise<{ result: AgentResult | null; resultComplaint: string | null }> {
  if ((await lstat(file).catch(() => null)) === null)
    return { result: null, resultComplaint: isOwed ? 'the result file is not written' : null };
  try {
    const text = (await readRegular(file, { max: MAX_RESULT_BYTES })).toString('utf8');
    return { result: AgentResult.parse(JSON.parse(text)), resultComplaint: null };
  } catch (error) {
    const what = error instanceof NotRegular ? error.message : firstLine(error);
    return { result: null, resultComplaint: `its agent_result.json cannot be read: ${what}` };
  }
}

function firstLine(error: unknown): string {
  const issues = (error as { issues?: { path: PropertyKey[]; message: string }[] }).issues;
  if (issues?.[0]) return `${issues[0].path.join('.') || 'the whole file'}: ${issues[0].message}`;
  return (error instanceof Error ? error.message : String(error)).split('\n')[0]!;
}
