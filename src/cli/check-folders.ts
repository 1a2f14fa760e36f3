// What `baton doctor` says of folders: is the place ours, can it be written, is it private, has it room.

import { access, constants, lstat, statfs } from 'node:fs/promises';
import { userInfo } from 'node:os';
import path from 'node:path';
import { bytesText } from '../text/span-text.ts';

export type Finding = { what: string; state: 'good' | 'note' | 'bad'; finding: string; cure: string | null };
type Place = { what: string; folder: string; variable: string; isPrivate: boolean };

const LEAST_DISK_BYTES = 2_000_000_000; // below this the engine starts no agent

export async function checkFolder({ what, folder, variable, isPrivate }: Place): Promise<Finding> {
  const bad = (finding: string, cure: string): Finding => ({ what, state: 'bad', finding, cure });
  const good = (finding: string): Finding => ({ what, state: 'good', finding, cure: null });
  const another = `set ${variable} to a folder you own`;
  const stats = await lstat(folder).catch(() => null);
  if (stats === null) {
    const isMakeable = await canWrite(await nearestThere(folder));
    return isMakeable ? good(`${folder} (made when needed)`) : bad(`${folder} cannot be made`, another);
  }
  if (!stats.isDirectory() || stats.uid !== userInfo().uid) return bad(`${folder} is not a folder of yours`, another);
  if (isPrivate && (stats.mode & 0o077) !== 0) return bad(`${folder} is open to others`, `chmod 700 ${folder}`);
  return (await canWrite(folder)) ? good(folder) : bad(`${folder} cannot be written`, `chmod u+rwx ${folder}`);
}

const canWrite = (folder: string) =>
  access(folder, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  );

async function nearestThere(folder: string): Promise<string> {
  const above = path.dirname(folder);
  if (above === folder || (await lstat(above).catch(() => null)) !== null) return above;
  return nearestThere(above);
}

export async function checkDisk(folder: string): Promise<Finding> {
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  const isGood = free >= LEAST_DISK_BYTES;
  const cure = 'make room (`baton clean` removes working files of old executions); below 2 GB no agent starts';
  return {
    what: 'disk',
    state: isGood ? 'good' : 'bad',
    finding: `${bytesText(free)} free here`,
    cure: isGood ? null : cure,
  };
}
