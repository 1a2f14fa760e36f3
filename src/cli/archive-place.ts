// Which archive is meant, and where its commit goes when the project cannot take it. The own document of an agent is
// meant where it has one; else the project's.

import path from 'node:path';
import { exists } from '../files/write-file.ts';
import { settingsOf } from '../handoff/settings.ts';
import type { ArchivePlace } from '../project/archive.ts';
import { handoffPlaces } from '../project/handoff-places.ts';
import { loadSettings } from '../project/load-settings.ts';
import { ownRepository } from '../watching/watchdog-places.ts';

export async function archivePlace(folder: string, agent: string | null = null): Promise<ArchivePlace> {
  const loaded = await loadSettings(folder, { env: process.env });
  const root = loaded.project.folder;
  const settings = settingsOf(loaded.forAgent(agent));
  const place = { folder: root, settings, ownRepository: ownRepository() };
  if (agent === null) return place;
  const own = await handoffPlaces(loaded, { folder: path.resolve(folder), agent });
  if (!(await exists(own.documentPath))) return place;
  const paths = {
    handoff_path: path.relative(root, own.documentPath),
    archive_dir: path.relative(root, own.archiveDir),
  };
  return { ...place, stem: own.archiveStem, settings: { ...settings, ...paths } };
}
