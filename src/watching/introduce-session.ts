// A session that was adopted while it ran has no SessionStart of its own. What its status line said is told to the
// receipts in its place, once, so that everything after it reads as ever.

import { appendFile, readFile } from 'node:fs/promises';
import { readStatusRecord } from '../receipts/read-status-record.ts';
import { panePlaces } from './watchdog-places.ts';

// True when the receipts know a session, now or before.
export async function introduceSession(socket: string, pane: string): Promise<boolean> {
  const { receipts, record } = panePlaces(socket, pane);
  const told = await readFile(receipts, 'utf8').catch(() => '');
  if (told.includes('"event":"SessionStart"')) return true;
  const known = await readStatusRecord(record).catch(() => null);
  if (known === null) return false;
  const { session_id, transcript_path, model } = known;
  const payload = { session_id, transcript_path, model, hook_event_name: 'SessionStart', source: 'adopted' };
  const line = { payload, event: 'SessionStart', tool: null, pane, session_id };
  await appendFile(receipts, `${JSON.stringify(line)}\n`, { mode: 0o600 });
  return true;
}
