// Alerts, each told once: the file they are kept in tells a restarted watchdog what it has told already. It keeps the
// newest ones only.

import { appendFile, readFile } from 'node:fs/promises';
import { writeFileAtomic } from '../src/files/write-file.ts';

export type Alert = (key: string, text: string) => Promise<void>;
export type AlertOptions = { say(line: string): void; notice(key: string, text: string): void };

// What still holds after a day is worth telling again, after a restart.
const REMEMBERED_MS = 24 * 60 * 60_000;
const MOST_BYTES = 1024 * 1024;

export async function openAlerts(file: string, { say, notice }: AlertOptions): Promise<Alert> {
  const told = new Set<string>(); // to people, by this process
  const kept = new Set<string>(); // on the disk
  let bytes = 0;

  const lines = (await readFile(file, 'utf8').catch(() => '')).split('\n').filter(line => line !== '');
  for (const line of lines) {
    const { at, key } = parse(line);
    if (key !== null && Date.now() - at < REMEMBERED_MS) kept.add(key);
    bytes += line.length + 1;
  }

  async function keep(line: string): Promise<void> {
    if (bytes + line.length > MOST_BYTES) {
      const text = await readFile(file, 'utf8').catch(() => '');
      const newest = text.slice(-MOST_BYTES / 2);
      const whole = newest.length < text.length ? newest.slice(newest.indexOf('\n') + 1) : newest;
      await writeFileAtomic(file, whole, { mode: 0o600 });
      bytes = whole.length;
    }
    await appendFile(file, `${line}\n`, { mode: 0o600 });
    bytes += line.length + 1;
  }

  return async (key, text) => {
    if (kept.has(key)) return;
    kept.add(key);
    if (!told.has(key)) {
      told.add(key);
      say(`alert: ${text}`);
      notice(key, text);
    }
    try {
      await keep(JSON.stringify({ at: new Date().toISOString(), key, text }));
    } catch (error) {
      kept.delete(key); // told, and kept at the next try
      throw error;
    }
  };
}

function parse(line: string): { at: number; key: string | null } {
  try {
    const { at, key } = JSON.parse(line) as { at?: unknown; key?: unknown };
    return { at: Date.parse(String(at)), key: typeof key === 'string' ? key : null };
  } catch {
    return { at: 0, key: null }; // torn by a crash
  }
}
