// A practice script by its name in templates/practice, by its file, or as a value. Changes nothing.

import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { exists, readJson } from '../files/write-file.ts';
import { Fault } from '../protocol/fault.ts';
import { PracticeScript } from '../protocol/practice.ts';

// The same distance from src/practice and from dist/practice.
const shipped = fileURLToPath(new URL('../../templates/practice', import.meta.url));

const MAX_FOLLOWING = 10;

export type Setting = Readonly<Record<string, string | number>>;

export async function loadScript(script: string | PracticeScript, set: Setting = {}): Promise<PracticeScript> {
  const loaded = await withFollowing(
    typeof script === 'string' ? await readScript(script) : PracticeScript.parse(script),
  );
  const unknown = Object.keys(set).find(name => !(name in loaded.vars));
  if (unknown !== undefined) {
    const names = Object.keys(loaded.vars).join(', ') || 'none';
    throw new Fault('invalid', `the practice script has no variable "${unknown}"`, `its variables: ${names}`);
  }
  return { ...loaded, vars: { ...loaded.vars, ...set } };
}

export async function scriptNames(): Promise<string[]> {
  const files = await readdir(shipped);
  return files
    .filter(file => file.endsWith('.json'))
    .map(file => file.slice(0, -'.json'.length))
    .sort();
}

const readScript = async (name: string): Promise<PracticeScript> => readJson(await findScript(name), PracticeScript);

// What follows may name what follows it; a circle would never end.
async function withFollowing(first: PracticeScript): Promise<PracticeScript> {
  let whole = first;
  for (let count = 0; whole.follow !== undefined; count += 1) {
    if (count === MAX_FOLLOWING)
      throw new Fault('invalid', `"follow" of practice scripts goes in a circle`, 'remove one');
    const { rules, vars, follow } = await readScript(whole.follow);
    whole = { ...whole, rules: [...whole.rules, ...rules], vars: { ...vars, ...whole.vars }, follow };
  }
  return whole;
}

async function findScript(name: string): Promise<string> {
  const isPath = name.includes('/') || name.endsWith('.json');
  const file = isPath ? path.resolve(name) : path.join(shipped, `${name}.json`);
  if (await exists(file)) return file;
  const cure = `name a file, or one of: ${(await scriptNames()).join(', ')}`;
  throw new Fault('invalid', `there is no practice script "${name}"`, cure);
}
