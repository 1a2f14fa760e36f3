// The archive of a project's handoff document: earlier ones by name, the present one moved there and a fresh one
// begun, an earlier one brought back. Nothing that was ever in the document gets lost: a copy is in the archive, on
// the disk, before the document is replaced.

import { randomUUID } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { commitHandoff, type HandoffCommit } from '../git/commit-handoff.ts';
import { archiveName, compareArchives } from '../handoff/archive-names.ts';
import type { HandoffSettings } from '../protocol/config.ts';
import { Fault } from '../protocol/fault.ts';
import { nearest } from '../request/nearest.ts';
import { shippedTemplate } from './init-texts.ts';
import { createText, placeIn, readText, replaceText } from './project-files.ts';

export type ArchivePlace = {
  folder: string; // of the project
  settings: HandoffSettings;
  ownRepository: string; // takes the commit where the project cannot
  stem?: string; // names in the archive begin so
};
export type Entry = { name: string; file: string; lines: number; bytes: number };
export type Archived = { name: string | null; fresh: string; commit: HandoffCommit | null };

// Names that are no regular files, or that others take in this moment, are passed over.
const MOST_TRIES = 100;

export async function listArchive({ folder, settings }: ArchivePlace): Promise<Entry[]> {
  const at = await placeIn(folder, settings.archive_dir);
  const names = await readdir(at, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const files = names.filter(entry => entry.isFile() && !entry.name.startsWith('.') && entry.name.endsWith('.md'));
  const entries = await Promise.all(
    files.map(async ({ name }) => {
      const file = path.join(at, name);
      const text = await readText(file).catch(() => null); // a handoff also archives what is too large to read
      return { name, file, lines: lineCount(text ?? ''), bytes: (await stat(file)).size };
    }),
  );
  return entries.sort((a, b) => compareArchives(b.name, a.name));
}

const lineCount = (text: string) => text.split('\n').length - (text.endsWith('\n') ? 1 : 0);

// By its whole name, without the ending, or by a beginning that only one has.
export async function findArchived(place: ArchivePlace, asked: string): Promise<Entry> {
  const entries = await listArchive(place);
  const exact = entries.find(({ name }) => name === asked || name === `${asked}.md`);
  if (exact !== undefined) return exact;
  const begun = asked === '' ? [] : entries.filter(({ name }) => name.startsWith(asked));
  if (begun.length === 1) return begun[0]!;
  const names = entries.map(({ name }) => name);
  if (begun.length > 1) {
    throw new Fault('invalid', `${begun.length} archived handoffs begin with "${asked}"`, 'write one of them in full');
  }
  const close = nearest(asked, names);
  const cure = close === null ? '`baton archive list` shows all' : `did you mean "${close}"?`;
  throw new Fault('invalid', `no archived handoff is called "${asked}"`, cure);
}

export async function archiveDocument(place: ArchivePlace, now: Date): Promise<Archived> {
  const { file, text } = await presentDocument(place);
  if (text === null) throw new Fault('refused', `there is no "${place.settings.handoff_path}"`, 'make one: baton init');
  const template = await templateOf(place);
  if (text === template) {
    const cure = 'it is archived once something was written into it';
    throw new Fault('refused', `"${place.settings.handoff_path}" is still the empty template`, cure);
  }
  const name = await keepCopy(place, text, now);
  await replaceText(file, text, template);
  const message = `docs: archive handoff as ${name}`;
  return { name, fresh: file, commit: await commit(place, [file, await archivedFile(place, name)], message) };
}

export async function restoreDocument(place: ArchivePlace, asked: string, now: Date): Promise<Archived> {
  const entry = await findArchived(place, asked);
  const wanted = (await readText(entry.file)) ?? '';
  const { file, text } = await presentDocument(place);
  if (text === wanted) {
    throw new Fault('refused', `"${place.settings.handoff_path}" is already what ${entry.name} holds`, '');
  }
  const isEmpty = text === null || text === (await templateOf(place));
  const name = isEmpty ? null : await keepCopy(place, text, now);
  if (text !== null) await replaceText(file, text, wanted);
  else if (!(await createText(place.folder, file, wanted))) {
    throw new Fault('refused', `"${file}" appeared in this very moment; it was left as it is`, 'try again');
  }
  const files = name === null ? [file] : [file, await archivedFile(place, name)];
  return { name, fresh: file, commit: await commit(place, files, `docs: restore handoff ${entry.name}`) };
}

async function presentDocument({ folder, settings }: ArchivePlace): Promise<{ file: string; text: string | null }> {
  const file = await placeIn(folder, settings.handoff_path);
  return { file, text: await readText(file) };
}

const templateOf = async ({ folder, settings }: ArchivePlace): Promise<string> =>
  (await readText(await placeIn(folder, settings.template_path))) ?? (await shippedTemplate());

// The name itself is not followed: a symlink that has it is a name that is taken.
const archivedFile = async ({ folder, settings }: ArchivePlace, name: string): Promise<string> =>
  path.join(await placeIn(folder, settings.archive_dir), name);

// The first free name of this minute; the disk decides, so that two at once get two.
async function keepCopy(place: ArchivePlace, text: string, now: Date): Promise<string> {
  const taken = (await listArchive(place)).map(({ name }) => name);
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const name = archiveName(now.getTime(), taken, place.stem);
    if (await createText(place.folder, await archivedFile(place, name), text)) return name;
    taken.push(name);
  }
  throw new Fault('refused', 'the archive has too many handoffs of this minute', 'try again in a minute');
}

async function commit(place: ArchivePlace, files: string[], message: string): Promise<HandoffCommit | null> {
  if (!place.settings.auto_commit) return null;
  const { folder, ownRepository } = place;
  return commitHandoff({ folder, files, removed: [], message, handoffId: `archive-${randomUUID()}`, ownRepository });
}
