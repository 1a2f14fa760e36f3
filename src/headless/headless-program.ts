// How the program of this folder is started, whether it runs from src or from dist.

import { fileURLToPath } from 'node:url';

export function headlessProgram(settingsFile: string): string[] {
  const end = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  return [process.execPath, fileURLToPath(new URL(`./run-headless.${end}`, import.meta.url)), settingsFile];
}
