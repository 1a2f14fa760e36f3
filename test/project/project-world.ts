// A real folder with a real git repository, in a world of its own; and the whole of a folder to compare.

import { execFileSync } from 'node:child_process';
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { type ArchivePlace, archiveDocument, restoreDocument } from '../../src/project/archive.ts';
import { initProject } from '../../src/project/init-project.ts';
import { settingDefaults } from '../../src/protocol/config.ts';

export function makeProject(o: { isRepository?: boolean } = {}) {
  const world = mkdtempSync('/tmp/bp-');
  const folder = path.join(world, 'project');
  mkdirSync(folder);
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, encoding: 'utf8' }).trimEnd();
  const at = (name: string) => path.join(folder, name);
  if (o.isRepository !== false) {
    git('init', '-q', '-b', 'main');
    git('config', 'user.name', 'Somebody');
    git('config', 'user.email', 'somebody@example.org');
    git('commit', '-q', '--allow-empty', '-m', 'first');
  }
  const place: ArchivePlace = { folder, settings: settingDefaults, ownRepository: path.join(world, 'own.git') };
  const wish = { remove: false, dryRun: false, env: {} };
  return {
    world,
    folder,
    at,
    git,
    place,
    write: (name: string, text: string | Buffer) => {
      mkdirSync(path.dirname(at(name)), { recursive: true });
      writeFileSync(at(name), text);
    },
    read: (name: string) => readFileSync(at(name), 'utf8'),
    init: (more: Partial<typeof wish> = {}) => initProject(folder, { ...wish, ...more }),
    archive: (now: Date) => archiveDocument(place, now),
    restore: (name: string, now: Date) => restoreDocument(place, name, now),
    everything: () => everythingIn(folder),
    end: () => rmSync(world, { recursive: true, force: true }),
  };
}

// Every file and link with its bytes and mode, git's own left out.
export function everythingIn(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  const shown = names.filter(name => name !== '.git' && !name.startsWith('.git/'));
  return Object.fromEntries(
    shown.map(name => {
      const file = path.join(folder, name);
      const stats = lstatSync(file);
      if (stats.isSymbolicLink()) return [name, `-> ${readlinkSync(file)}`];
      if (stats.isDirectory()) return [name, 'folder'];
      return [name, `${(stats.mode & 0o777).toString(8)} ${readFileSync(file, 'latin1')}`];
    }),
  );
}
