// --agent of `baton archive` → the archive of the project that agent, or adopted pane, works in. Its own document is
// meant where it has one; else the project's.

import path from 'node:path';
import { isPaneId } from '../engine/find-pane.ts';
import { agentFolder } from '../engine/settle-agents.ts';
import { exists } from '../files/write-file.ts';
import type { ArchivePlace } from '../project/archive.ts';
import { handoffPlaces } from '../project/handoff-places.ts';
import { loadSettings } from '../project/load-settings.ts';
import { Fault } from '../protocol/fault.ts';
import { readAdopted } from '../watching/adopted-panes.ts';
import { archivePlace } from './archive-place.ts';
import { findAgent } from './find-agent.ts';

export async function agentArchive(ref: string, socket: string | undefined): Promise<ArchivePlace> {
  if (isPaneId(ref)) return archivePlace(await folderOfPane(ref, socket));
  const { execution, agent } = await findAgent(ref, undefined);
  const folder = await agentFolder(execution.workspace, agent.agent_name);
  const place = await archivePlace(folder, agent.agent_name);
  const loaded = await loadSettings(folder, { env: process.env });
  const own = await handoffPlaces(loaded, { folder, agent: agent.agent_name });
  if (!(await exists(own.documentPath))) return place;
  const from = (file: string) => path.relative(place.folder, file);
  const paths = { handoff_path: from(own.documentPath), archive_dir: from(own.archiveDir) };
  return { ...place, stem: own.archiveStem, settings: { ...place.settings, ...paths } };
}

async function folderOfPane(pane: string, socket: string | undefined): Promise<string> {
  const known = (await readAdopted()).filter(each => each.pane === pane);
  const meant = socket === undefined ? known : known.filter(each => each.socket === path.resolve(socket));
  if (meant.length === 1) return meant[0]!.folder;
  const why = known.length > 1 ? `is adopted on ${known.length} tmux servers` : 'is not adopted';
  throw new Fault('invalid', `${pane} ${why}`, 'name its --socket; an own pane is given by `baton adopt` first');
}
