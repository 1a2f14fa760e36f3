// A folder for one test file, with an agent in it that runs a program; and a fingerprint of all that lies there.

import { createHash } from 'node:crypto';
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';

export function ownFolder(): string {
  const folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'baton-request-')));
  put(folder, 'ws/agent/agent.json', '{"provider": "command", "command": ["true"]}');
  return folder;
}

export function put(folder: string, name: string, content: string): string {
  const file = path.join(folder, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, content);
  return file;
}

export function fingerprint(folder: string): string {
  const hash = createHash('sha256');
  for (const place of placesUnder(folder)) {
    const stats = lstatSync(place);
    hash.update(`${place}\0${stats.mode}\0${stats.mtimeMs}\0`);
    if (stats.isFile()) hash.update(readFileSync(place));
    if (stats.isSymbolicLink()) hash.update(readlinkSync(place));
  }
  return hash.digest('hex');
}

// Not readdir's own recursion: that one follows symlinks, and some of ours lead to "/".
function placesUnder(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap(entry => {
    const place = path.join(folder, entry.name);
    return entry.isDirectory() ? [place, ...placesUnder(place)] : [place];
  });
}
