// Where the handoff documents of a session are, followed to their ends on the disk: a Fault where a path leads out of
// the project. Agents of an execution have documents and archives of their own, so that no merge mixes them.

import path from 'node:path';
import type { Places } from '../handoff/handoff-types.ts';
import type { SettingsView } from '../handoff/settings.ts';
import type { LoadedSettings } from './load-settings.ts';
import { placeIn } from './project-files.ts';

// `agent`: its name in an execution; null: the project's own document.
export async function handoffPlaces(
  { project, forAgent }: Pick<LoadedSettings, 'project' | 'forAgent'>,
  o: { folder: string; agent: string | null },
): Promise<Places> {
  const view = forAgent(o.agent);
  const inProject = (name: string) => placeIn(project.folder, name);
  const own = (setting: 'handoff_path' | 'archive_dir', ...otherwise: string[]) =>
    o.agent === null || isOwn(view, setting)
      ? inProject(view[setting].value)
      : placeIn(o.folder, path.join('docs', 'handoff', ...otherwise));
  return {
    root: project.folder,
    folder: o.folder,
    documentPath: await own('handoff_path', `${o.agent}.md`),
    templatePath: await inProject(view.template_path.value),
    archiveDir: await own('archive_dir', 'archive'),
    archiveStem: o.agent ?? 'HANDOFF',
  };
}

// What baton.json says for this agent alone; a path for all would be one file for all of them.
function isOwn(view: SettingsView, setting: 'handoff_path' | 'archive_dir'): boolean {
  const { from } = view[setting];
  return from.kind === 'file' && from.agent !== null;
}
