// Writes a handoff document in one go, in the place of whatever lies there: that goes to the archive first, and so does
// what somebody writes in between. For who has no journal to go on from.

import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { withSides } from '../git/keep-both-sides.ts';
import { archiveName } from '../handoff/archive-names.ts';
import { holdsSecret } from '../handoff/check-document.ts';
import type { Places } from '../handoff/handoff-types.ts';
import { Fault } from '../protocol/fault.ts';
import { type DocumentFile, readDocumentFile, readTemplate, sha256 } from './document-file.ts';
import { moveToArchive } from './move-to-archive.ts';
import { createText, replaceText } from './project-files.ts';

const MOST_TRIES = 5;

// `files`: what belongs into its commit. An archive that cannot be read, or holds a secret, does not.
export async function replaceDocument(
  places: Places,
  at: number,
  text: (archived: readonly string[]) => string,
): Promise<{ archived: string[]; files: string[] }> {
  const { root, documentPath: document } = places;
  const template = await readTemplate(places.templatePath);
  const archived: string[] = [];
  const files = [document];
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const old = await readDocumentFile(document);
    if (old.is !== 'none' && !isTemplate(old, template)) {
      const kept = await archive(places, old, template, at);
      if (kept === null) continue;
      archived.push(kept);
      if (old.is === 'text' && !holdsSecret(old.bytes.toString('utf8'))) files.push(kept);
    }
    const next = Buffer.from(text(archived)).toString('latin1');
    const left = await readDocumentFile(document);
    if (left.is === 'none' && (await createText(root, document, next))) return { archived, files };
    if (left.is === 'text' && isTemplate(left, template) && (await isReplaced(document, left.bytes, next)))
      return { archived, files };
  }
  throw new Fault('refused', `somebody keeps writing "${document}"`, 'it is left as it is');
}

const isTemplate = (file: DocumentFile, template: string): boolean =>
  file.is === 'text' && file.bytes.toString('utf8').trim() === template.trim();

async function archive(places: Places, old: DocumentFile, template: string, at: number): Promise<string | null> {
  const { root, documentPath: document, archiveDir: folder, archiveStem } = places;
  const name = archiveName(at, await readdir(folder).catch(() => []), archiveStem);
  const sides = old.is === 'text' ? withSides(old.bytes) : null;
  const of = old.hash ?? '';
  const isKept = await moveToArchive({
    ...{ root, document, folder, name, of, leave: template },
    hash: sides === null ? of : sha256(sides),
    keep: bytes => withSides(bytes) ?? bytes,
  });
  return isKept ? path.join(folder, name) : null;
}

const isReplaced = (file: string, seen: Buffer, text: string): Promise<boolean> =>
  replaceText(file, seen.toString('latin1'), text).then(
    () => true,
    error => {
      if (error instanceof Fault) return false;
      throw error;
    },
  );
