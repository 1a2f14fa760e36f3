// Which archive is meant, and where its commit goes when the project cannot take it.

import { settingsOf } from '../handoff/settings.ts';
import type { ArchivePlace } from '../project/archive.ts';
import { loadSettings } from '../project/load-settings.ts';
import { ownRepository } from '../watching/watchdog-places.ts';

export async function archivePlace(folder: string, agent: string | null = null): Promise<ArchivePlace> {
  const { project, forAgent } = await loadSettings(folder, { env: process.env });
  return { folder: project.folder, settings: settingsOf(forAgent(agent)), ownRepository: ownRepository() };
}
