// A document of a project as text for people.

import { Fault } from '../protocol/fault.ts';
import { placeIn, readText } from './project-files.ts';

export async function readDocument(folder: string, name: string): Promise<string> {
  const text = await readText(await placeIn(folder, name));
  if (text === null) throw new Fault('refused', `there is no "${name}" in "${folder}"`, 'make one: baton init');
  return Buffer.from(text, 'latin1').toString('utf8');
}
