// The places a checkpoint covers, as they are on the disk now: the folder they stand in is resolved, they
// themselves are not (a place may be a symlink, and then the link is what is kept).

import { basename, dirname, join, resolve } from 'node:path';
import { isInside, PathEscape, realTarget } from '../files/guard-path.ts';
import { Fault } from '../protocol/fault.ts';

export type Places = { workspace: string; covered: readonly string[]; roots: readonly string[]; file: string };

export async function findPlaces(o: Places): Promise<string[]> {
  const roots = await Promise.all(o.roots.map(realTarget));
  const own = [await realTarget(o.workspace), await placeOf(o.file), await realTarget(join(o.workspace, '.baton'))];
  const places = new Set<string>();
  for (const path of o.covered) {
    const place = await placeOf(path);
    if (!roots.some(root => isInside(place, root) && place !== root)) {
      throw new PathEscape(path, place, `leads to "${place}", which is not inside a folder that may be written`);
    }
    if (own.some(ours => isInside(ours, place)) || isInside(place, own[2] ?? '')) {
      const message = `"${path}" cannot be part of a checkpoint: it holds the workspace or Baton's own files.`;
      throw new Fault('invalid', message, 'Name folders inside the workspace instead of the workspace itself.');
    }
    places.add(place);
  }
  return outermost([...places]);
}

export async function placeOf(path: string): Promise<string> {
  const whole = resolve(path);
  return join(await realTarget(dirname(whole)), basename(whole));
}

export function outermost(places: readonly string[]): string[] {
  const sorted = places.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  return sorted.filter(place => !sorted.some(other => other !== place && isInside(place, other)));
}
