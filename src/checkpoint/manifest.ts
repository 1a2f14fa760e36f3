// The first entry of a checkpoint: what it covers and every entry that follows, with its hash.
// It decides what is believed of the archive, never where anything is written.

import { OddArchive } from './read-tar.ts';

export const MANIFEST_NAME = 'manifest.json';
// Room for about half a million entries.
export const MAX_MANIFEST_BYTES = 128 * 1024 * 1024;

export type PlaceKind = 'file' | 'folder' | 'symlink' | 'other';
export type Covered = { path: string; existed: boolean; kind: PlaceKind | null };
// sha256 is of the content, or of a symlink's target; a folder has none. `part` says in which gzip member it stands.
export type Listed = {
  name: string;
  kind: 'file' | 'folder' | 'symlink';
  size: number;
  sha256: string | null;
  part: number;
};

export type Manifest = {
  version: 1;
  covered: Covered[];
  files: Listed[];
  // Special files: they have no content to keep.
  skipped: string[];
  // Where each gzip member after the manifest's own begins, counted from the end of the manifest's; the last number
  // is where all of them end.
  parts: number[];
};

export function parseManifest(text: string): Manifest {
  let value: Manifest;
  try {
    value = JSON.parse(text);
  } catch {
    throw new OddArchive('its manifest is not valid JSON');
  }
  const sound =
    isRecord(value) &&
    value.version === 1 &&
    isListOf(value.covered, isCovered) &&
    isListOf(value.files, isListed) &&
    isListOf(value.skipped, item => typeof item === 'string') &&
    isListOf(value.parts, isCount);
  if (!sound) throw new OddArchive('its manifest does not have the expected form');
  return value;
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
const isCount = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 0;
const isListOf = (value: unknown, isItem: (item: unknown) => boolean) => Array.isArray(value) && value.every(isItem);

function isCovered(item: unknown): boolean {
  if (!isRecord(item) || typeof item.path !== 'string' || typeof item.existed !== 'boolean') return false;
  if (!item.existed) return item.kind === null;
  return ['file', 'folder', 'symlink', 'other'].includes(item.kind as string);
}

function isListed(item: unknown): boolean {
  if (!isRecord(item) || typeof item.name !== 'string' || !isCount(item.size) || !isCount(item.part)) return false;
  if (item.kind === 'folder') return item.size === 0 && item.sha256 === null;
  const isHashed = typeof item.sha256 === 'string' && /^[0-9a-f]{64}$/.test(item.sha256);
  return isHashed && (item.kind === 'file' || (item.kind === 'symlink' && item.size === 0));
}
