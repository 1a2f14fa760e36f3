// Finds an execution by its id, the beginning of one, or its workspace.

import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { stateFolder } from '../files/state-folder.ts';
import { exists } from '../files/write-file.ts';
import { Fault } from '../protocol/fault.ts';
import { placesIn } from '../run/workspace-places.ts';
import { type Execution, forgetExecution, listExecutions, rememberExecution } from '../watching/list-executions.ts';

export { type Execution, forgetExecution, listExecutions, rememberExecution, stateFolder };

export async function findExecution(ref: string): Promise<Execution> {
  const all = await listExecutions();
  const same = all.filter(entry => entry.id === ref);
  const matches = same.length > 0 ? same : all.filter(entry => entry.id.startsWith(ref));
  if (matches.length === 1) return matches[0]!;
  const workspace = matches.length === 0 ? await realpath(path.resolve(ref)).catch(() => null) : null;
  if (workspace !== null) {
    const known = all.find(entry => entry.workspace === workspace);
    if (known) return known;
    const unlisted = await readUnlisted(workspace);
    if (unlisted) return unlisted;
  }
  if (matches.length > 1) {
    const list = matches.map(entry => `${entry.id} (${entry.workspace})`).join(', ');
    throw new Fault(
      'invalid',
      `"${ref}" fits ${matches.length} executions: ${list}`,
      'give more of the id, or the workspace path',
    );
  }
  throw new Fault(
    'invalid',
    `no execution is called "${ref}"`,
    '`baton list` shows them all; a workspace path works too',
  );
}

// A workspace of another user or machine is not in our list, but its events say who it is.
async function readUnlisted(workspace: string): Promise<Execution | null> {
  const { events } = placesIn(workspace);
  if (!(await exists(events))) return null;
  const { readJournal } = await import('./journal.ts');
  const first = readJournal(events).events[0];
  return first?.type === 'execution_started' ? { id: first.data.request.execution_id, workspace } : null;
}
