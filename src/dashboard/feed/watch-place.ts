// Tells when named files of a folder change. Files here are replaced by rename, so the folder is watched, not
// the file. A folder that is not there yet is looked for again now and then; nothing is ever thrown.

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
      watcher = watch(folder, { persistent: false }, (_, name) => {
        if (name === null || isMeant(name)) tell();
      });
      watcher.on('error', () => {
        watcher?.close();
        later();
      });
      if (isAgain) tell(); // what came before the watch began
    } catch {
      later(); // not there yet, or no watches left on this machine
    }
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
