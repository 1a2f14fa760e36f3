// conflicts.json of a workspace: what the last merge left to decide.

import { readJson } from '../files/write-file.ts';
import { ConflictReport } from '../protocol/conflicts.ts';
import { Fault } from '../protocol/fault.ts';
import { placesIn } from '../run/workspace-places.ts';

export async function readConflicts(id: string, workspace: string): Promise<ConflictReport | null> {
  try {
    return await readJson(placesIn(workspace).conflicts, ConflictReport);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    if (error instanceof Fault) throw error;
    const message = `the conflicts of execution ${id} cannot be read: ${(error as Error).message}`;
    throw new Fault('refused', message, `put the file back, or merge again: baton merge ${id}`, { cause: error });
  }
}
