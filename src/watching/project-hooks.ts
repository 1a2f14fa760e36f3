// Puts the hooks of adopted panes into a project's .claude/settings.local.json, and takes them out: byte for byte
// as it was where nobody changed the file meanwhile, else only what is ours.

import { createHash } from 'node:crypto';
import { lstat, mkdir, readFile, rm, rmdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { readRegular } from '../files/read-file.ts';
import { writeFileAtomic, writeJson } from '../files/write-file.ts';
import { Fault } from '../protocol/fault.ts';
import { AdoptedProject } from '../protocol/handoff.ts';
import { commandOf, type HookedPane, hasOurs, isObject, withOurs, withoutOurs } from './adopt-settings.ts';
import { projectFile } from './watchdog-places.ts';

const SCRIPTS = fileURLToPath(new URL('../../templates/claude', import.meta.url));
const MAX_BYTES = 4 * 1024 * 1024;

type Json = Record<string, unknown>;
type Found = { text: string; value: Json; mode: number };

export const settingsFile = (folder: string): string => path.join(folder, '.claude', 'settings.local.json');

export async function putHooks(folder: string, panes: HookedPane[]): Promise<void> {
  const file = settingsFile(folder);
  const [found, known] = [await readSettings(file), await readProject(folder)];
  const base = await baseOf(folder, found, known);
  const value = base.text === null ? {} : parse(file, base.text);
  const theirLine = commandOf(value.statusLine) ?? (await widerLine(folder));
  const text = textOf(withOurs(value, { panes, scripts: SCRIPTS, theirLine }), base.text);
  const project: AdoptedProject = {
    version: 1,
    folder,
    before: base.text,
    had_folder: base.hadFolder,
    written: sumOf(text),
  };
  // First what is needed to undo it.
  await mkdir(path.dirname(projectFile(folder)), { recursive: true, mode: 0o700 });
  await writeJson(projectFile(folder), project, { mode: 0o600 });
  await mkdir(path.dirname(file), { recursive: true });
  await writeFileAtomic(file, text, { mode: found?.mode ?? 0o600 });
}

export type TakenOut = 'restored' | 'changed' | 'nothing';

// "changed": somebody edited the file meanwhile, and everything of theirs stays.
export async function takeHooksOut(folder: string): Promise<TakenOut> {
  const file = settingsFile(folder);
  const [found, known] = [await readSettings(file), await readProject(folder)];
  const deed = await undo(file, found, known);
  await rm(projectFile(folder), { force: true });
  return deed;
}

async function undo(file: string, found: Found | null, known: AdoptedProject | null): Promise<TakenOut> {
  if (found === null || !hasOurs(found.value)) return 'nothing';
  const isAsWritten = known !== null && sumOf(found.text) === known.written;
  const before = known?.before ?? null;
  const text = isAsWritten ? before : stripped(file, found, before);
  if (text === null) {
    await rm(file);
    // Only where Baton made it; one that has something in it by now stays.
    if (known?.had_folder === false) await rmdir(path.dirname(file)).catch(() => {});
  } else await writeFileAtomic(file, text, { mode: found.mode });
  return isAsWritten ? 'restored' : 'changed';
}

function stripped(file: string, found: Found, before: string | null): string | null {
  const was = before === null ? undefined : parse(file, before).statusLine;
  const value = withoutOurs(found.value, was);
  return before === null && Object.keys(value).length === 0 ? null : textOf(value, found.text);
}

// What the file is without us: of a project that has hooks of ours already, as it was before those.
async function baseOf(folder: string, found: Found | null, known: AdoptedProject | null) {
  const file = settingsFile(folder);
  const hadFolder = known?.had_folder ?? (await isFolder(path.dirname(file)));
  if (found === null) return { text: null, hadFolder };
  if (known !== null && sumOf(found.text) === known.written) return { text: known.before, hadFolder };
  if (!hasOurs(found.value)) return { text: found.text, hadFolder };
  return { text: stripped(file, found, known?.before ?? null), hadFolder };
}

// The status line that ours would hide: the project's, else the user's.
async function widerLine(folder: string): Promise<string | null> {
  const config = process.env.CLAUDE_CONFIG_DIR || path.join(homedir(), '.claude');
  for (const file of [path.join(folder, '.claude', 'settings.json'), path.join(config, 'settings.json')]) {
    const text = await readFile(file, 'utf8').catch(() => '{}');
    try {
      const value: unknown = JSON.parse(text);
      const command = isObject(value) ? commandOf(value.statusLine) : null;
      if (command !== null) return command;
    } catch {
      // Claude Code leaves out what it cannot read, and so do we.
    }
  }
  return null;
}

async function readSettings(file: string): Promise<Found | null> {
  try {
    const text = (await readRegular(file, { max: MAX_BYTES })).toString('utf8');
    return { text, value: parse(file, text), mode: (await lstat(file)).mode & 0o777 };
  } catch (cause) {
    if (cause instanceof Fault) throw cause;
    const { code, message } = cause as NodeJS.ErrnoException;
    if (code === 'ENOENT') return null;
    throw new Fault('refused', `${file} cannot be changed: ${message}`, 'make it a plain file, or use --no-hooks');
  }
}

function parse(file: string, text: string): Json {
  const cure = 'correct it, or use --no-hooks';
  try {
    const value: unknown = text.trim() === '' ? {} : JSON.parse(text);
    if (isObject(value)) return value;
  } catch (cause) {
    throw new Fault('invalid', `${file} is not valid JSON: ${(cause as Error).message}`, cure, { cause });
  }
  throw new Fault('invalid', `${file} holds no JSON object`, cure);
}

// As its owner writes it: the indentation and the end of the text that was there.
function textOf(value: Json, like: string | null): string {
  const indent = /^\{\r?\n([ \t]+)"/.exec(like ?? '')?.[1] ?? '  ';
  return `${JSON.stringify(value, null, indent)}${like === null || like.endsWith('\n') ? '\n' : ''}`;
}

async function readProject(folder: string): Promise<AdoptedProject | null> {
  try {
    return AdoptedProject.parse(JSON.parse(await readFile(projectFile(folder), 'utf8')));
  } catch {
    return null; // then our marks alone say what is ours
  }
}

const isFolder = async (place: string): Promise<boolean> =>
  (await lstat(place).catch(() => null))?.isDirectory() ?? false;
const sumOf = (text: string): string => createHash('sha256').update(text).digest('hex');
