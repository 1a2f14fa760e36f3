// Tells when named files of a folder change. Files here are replaced by rename, so the folder is watched, not the
// file. A folder that is not there yet, or was removed and made again, is looked for now and then; nothing is ever
// thrown.

import { type FSWatcher, watch } from 'node:fs';

const LOOK_AGAIN_MS = 2000;

export function watchPlace(folder: string, isMeant: (name: string) => boolean, tell: () => void): () => void {
  let watcher: FSWatcher | null = null;
  let timer: NodeJS.Timeout | null = null;
  let isOver = false;

  const begin = (isAgain: boolean) => {
    timer = null;
    if (isOver) return;
    try {
      watcher = watch(folder, { persistent: false }, (kind, name) => {
        if (name === null || isMeant(name)) tell();
        // A watch stays with the folder it was begun on, also when another one has its name by now.
        if (kind === 'rename' && name === ownName(folder)) again();
      });
      watcher.on('error', again);
      if (isAgain) tell(); // what came before the watch began
    } catch {
      later(); // not there yet, or no watches left on this machine
    }
  };
  const again = () => {
    watcher?.close();
    watcher = null;
    later();
  };
  const later = () => {
    timer ??= setTimeout(() => begin(true), LOOK_AGAIN_MS).unref();
  };
  begin(false);
  return () => {
    isOver = true;
    watcher?.close();
    if (timer !== null) clearTimeout(timer);
  };
}

// The removal of the watched folder itself is told under its own name.
const ownName = (folder: string): string => folder.replace(/\/+$/, '').split('/').at(-1)!;
