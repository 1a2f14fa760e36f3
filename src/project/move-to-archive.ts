// Moves a handoff document into the archive: the copy is on the disk before the original is touched, and the original
// only while it is the one that was measured. Done again, it does what is left to do.

import { rename } from 'node:fs/promises';
import path from 'node:path';
import { makeFolder } from '../files/guard-path.ts';
import { syncFolder } from '../files/write-file.ts';
import { Fault } from '../protocol/fault.ts';
import { readDocumentFile } from './document-file.ts';
import { createText, replaceText } from './project-files.ts';

export type ArchiveMove = {
  root: string; // nothing outside of it is written
  document: string;
  folder: string; // the archive
  name: string;
  of: string; // the hash of the document, as it was measured
  hash: string; // of what goes to the archive
  keep(bytes: Buffer): Buffer; // what goes there of a document that can be read
  leave: string; // what stands in its place then
};

// False: the document is not the one that was measured, or the name is taken.
export async function moveToArchive(o: ArchiveMove): Promise<boolean> {
  const target = path.join(await makeFolder(o.folder, [o.root]), o.name);
  if ((await readDocumentFile(target)).is === 'none' && !(await keep(o, target))) return false;
  const kept = await readDocumentFile(target);
  if (kept.hash !== o.hash) return false;
  const left = await readDocumentFile(o.document);
  const fresh = Buffer.from(o.leave).toString('latin1');
  if (left.is === 'none') await createText(o.root, o.document, fresh);
  else if (left.is === 'text' && left.hash === o.of)
    await replaceText(o.document, left.bytes.toString('latin1'), fresh).catch(unlessChanged);
  return true;
}

async function keep({ root, document, of, keep: kept }: ArchiveMove, target: string): Promise<boolean> {
  const now = await readDocumentFile(document);
  if (now.is === 'none' || now.hash !== of) return false;
  if (now.is === 'text') return createText(root, target, kept(now.bytes).toString('latin1'));
  // Never read: whatever it is goes there as it is.
  await rename(document, target);
  await syncFolder(path.dirname(document));
  await syncFolder(path.dirname(target));
  return true;
}

// What came in between wins: it is in no archive yet.
function unlessChanged(error: unknown): void {
  if (!(error instanceof Fault)) throw error;
}
