// The settings file of the sessions: the caller's own, with our PreCompact hook added. The hook writes the
// event to a file, because the stream does not carry it (2.1.326), and blocks the compaction with exit 2.

import { rm } from 'node:fs/promises';
import { readRegular } from '../files/read-file.ts';
import { exists, readJson, writeJson } from '../files/write-file.ts';
import { Fault } from '../protocol/fault.ts';

export type Hooked = { settingsFile: string; compactionMark: string };

const HOOK_SECONDS = 20;

export async function writeSessionSettings(o: {
  from: string | null;
  beside: string; // the files are named after this one
  blocks: boolean;
}): Promise<Hooked> {
  const settingsFile = `${o.beside}.settings.json`;
  const compactionMark = `${o.beside}.compaction`;
  await rm(compactionMark, { force: true });
  const given = o.from === null ? {} : await readJson(o.from, anyObject, { follow: true });
  await writeJson(settingsFile, addHook(given, hookCommand(compactionMark, o.blocks), o.from), {
    mode: 0o600,
    sync: false,
  });
  return { settingsFile, compactionMark };
}

export async function isCompactionMarked(compactionMark: string): Promise<boolean> {
  return (await exists(compactionMark)) && (await readRegular(compactionMark, { max: 1_000_000 })).length > 0;
}

// Builtins only: it runs before every request once the context is full.
export function hookCommand(compactionMark: string, blocks: boolean): string {
  const note = `IFS= read -r event; printf '%s\\n' "$event" >> ${quote(compactionMark)}`;
  return blocks ? `${note}; echo 'Baton goes on in a fresh session instead' >&2; exit 2` : `${note}; exit 0`;
}

export function addHook(given: Record<string, unknown>, command: string, from: string | null): object {
  const wrong = (what: string) =>
    new Fault('invalid', `"${from}": ${what}`, 'write it as Claude Code documents its settings');
  const hooks = given.hooks ?? {};
  if (!isObject(hooks)) throw wrong('"hooks" is not an object');
  const before = hooks.PreCompact ?? [];
  if (!Array.isArray(before)) throw wrong('"hooks.PreCompact" is not a list');
  const ours = { hooks: [{ type: 'command', command, timeout: HOOK_SECONDS }] };
  return { ...given, hooks: { ...hooks, PreCompact: [...before, ours] } };
}

const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const anyObject = {
  parse(value: unknown): Record<string, unknown> {
    if (isObject(value)) return value;
    throw new Error('is not an object');
  },
};
