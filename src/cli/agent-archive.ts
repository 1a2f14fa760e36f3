// --agent of `baton archive` → the archive of that agent, or of the project an adopted pane works in.

import path from 'node:path';
import { isPaneId } from '../engine/find-pane.ts';
import { agentFolder } from '../engine/settle-agents.ts';
import type { ArchivePlace } from '../project/archive.ts';
import { Fault } from '../protocol/fault.ts';
import { readAdopted } from '../watching/adopted-panes.ts';
import { archivePlace } from './archive-place.ts';
import { findAgent } from './find-agent.ts';

export async function agentArchive(ref: string, socket: string | undefined): Promise<ArchivePlace> {
  if (isPaneId(ref)) return archivePlace(await folderOfPane(ref, socket));
  const { execution, agent } = await findAgent(ref, undefined);
  const folder = await agentFolder(execution.workspace, agent.agent_name);
  return archivePlace(folder, agent.agent_name);
}

async function folderOfPane(pane: string, socket: string | undefined): Promise<string> {
  const known = (await readAdopted()).filter(each => each.pane === pane);
  const meant = socket === undefined ? known : known.filter(each => each.socket === path.resolve(socket));
  if (meant.length === 1) return meant[0]!.folder;
  const why = known.length > 1 ? `is adopted on ${known.length} tmux servers` : 'is not adopted';
  throw new Fault('invalid', `${pane} ${why}`, 'name its --socket; an own pane is given by `baton adopt` first');
}
