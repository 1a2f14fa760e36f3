// Which folder is the project, and its baton.json. Looked for from a folder upwards, never above its repository:
// a file that merely lies in a parent of it must not steer anybody's agents.

import { lstat, stat } from 'node:fs/promises';
import path from 'node:path';
import { realTarget } from '../files/guard-path.ts';
import { exists } from '../files/write-file.ts';
import { type BatonConfig, settingDefaults } from '../protocol/config.ts';
import { Fault } from '../protocol/fault.ts';
import { readConfig } from './read-config.ts';

export const CONFIG_NAME = 'baton.json';

export type Project = {
  folder: string; // absolute, links resolved; all paths of the settings start here
  repository: string | null; // the folder that holds .git
  file: { path: string; config: BatonConfig } | null;
};

export async function findProject(start: string): Promise<Project> {
  const from = await realFolder(start);
  const { folders, repository } = await foldersUp(from);
  for (const folder of folders) {
    const file = path.join(folder, CONFIG_NAME);
    const config = await readConfig(file);
    if (config !== null) return { folder, repository, file: { path: file, config } };
  }
  for (const folder of folders) {
    const signs = [settingDefaults.handoff_path, settingDefaults.template_path];
    const found = await Promise.all(signs.map(sign => exists(path.join(folder, sign))));
    if (found.includes(true)) return { folder, repository, file: null };
  }
  return { folder: repository ?? from, repository, file: null };
}

// The folder itself and those above it, as far as its repository reaches.
async function foldersUp(from: string): Promise<{ folders: string[]; repository: string | null }> {
  const folders: string[] = [];
  for (let at = from; ; at = path.dirname(at)) {
    folders.push(at);
    if (await hasGit(at)) return { folders, repository: at };
    if (at === path.dirname(at)) return { folders: [from], repository: null };
  }
}

const hasGit = (folder: string): Promise<boolean> =>
  lstat(path.join(folder, '.git')).then(
    () => true,
    () => false,
  );

export async function realFolder(folder: string): Promise<string> {
  const real = await realTarget(path.resolve(folder));
  const isFolder = await stat(real).then(
    stats => stats.isDirectory(),
    () => false,
  );
  if (isFolder) return real;
  throw new Fault('invalid', `"${folder}" is no folder`, 'name the folder of a project');
}
