// The transcripts that are left of one agent's sessions, by session. Copies in the workspace first; where a session
// has none (it runs, or came before a /clear), what its hooks named; headless ones leave no hook and no copy: theirs
// are where Claude Code keeps its own.

import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { readReceipts } from '../receipts/receipt-tail.ts';
import { sessionPlaces } from './session-places.ts';
import { claudeConfigFolder, findTranscript } from './session-register.ts';

export type SessionsOf = { attempts: number; told: readonly string[] }; // told: sessions that its outcomes name

export async function agentTranscripts(
  workspace: string,
  agent: string,
  { attempts, told }: SessionsOf,
): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const { transcripts } = sessionPlaces(workspace, agent, 1);
  for (const name of await readdir(transcripts).catch(() => []))
    if (name.endsWith('.jsonl')) found.set(name.slice(0, -'.jsonl'.length), path.join(transcripts, name));
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    const { receipts } = sessionPlaces(workspace, agent, attempt);
    for (const { receipt } of await readReceipts(receipts).catch(() => [])) {
      const { session_id: id, transcript_path: file } = receipt;
      if (id !== null && file !== null && path.basename(file) === `${id}.jsonl` && !found.has(id)) found.set(id, file);
    }
  }
  for (const session of told) {
    const file = found.has(session) ? null : await findTranscript(claudeConfigFolder(), session);
    if (file !== null) found.set(session, file);
  }
  return found;
}
