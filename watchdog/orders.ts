// An order for a session that works: laid where its Stop and PostToolUse hooks (templates/claude/receipt.sh) find it,
// so that no key is needed. Whoever makes the file ORDER.NAME first has the order: one hook, or the watchdog that
// takes it back. It is made once and never unmade, so the same words never go both ways.

import { randomUUID } from 'node:crypto';
import { link, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { writeFileAtomic } from '../src/files/write-file.ts';

const WITHDRAWN = 'withdrawn\n';
const OLD_MS = 10 * 60_000; // a hook lives for 10 s

// A mark is `<handoff>/<message>`; a name is a word that a shell can check.
export const orderName = (mark: string): string => mark.replaceAll(/[^A-Za-z0-9._-]/g, '.');

export async function layOrder(file: string, o: { mark: string; sessionId: string; text: string }): Promise<void> {
  const name = orderName(o.mark);
  if ((await claimOf(file, name)) !== null) return; // it was handed out, or taken back
  await sweep(file, name);
  const stop = { decision: 'block', reason: o.text };
  const tool = { hookSpecificOutput: { hookEventName: 'PostToolUse', additionalContext: o.text } };
  const lines = [name, o.sessionId, JSON.stringify(stop), JSON.stringify(tool)];
  await writeFileAtomic(file, `${lines.join('\n')}\n`, { mode: 0o600 });
}

// taken: a hook has it. free: it is ours now, and no hook will hand it out any more.
export async function withdrawOrder(file: string, mark: string): Promise<'taken' | 'free'> {
  const name = orderName(mark);
  if ((await nameIn(file)) !== name && (await claimOf(file, name)) === null) return 'free'; // never laid
  const temp = `${file}.tmp-${randomUUID()}`;
  await writeFile(temp, WITHDRAWN, { mode: 0o600 });
  await link(temp, `${file}.${name}`).catch(() => {}); // exclusive, and with its content from the first moment on
  await rm(temp, { force: true });
  const claim = await claimOf(file, name);
  if ((await nameIn(file)) === name) await rm(file, { force: true });
  return claim === WITHDRAWN ? 'free' : 'taken';
}

// Of whatever is laid there, at the end of a handoff.
export async function clearOrder(file: string): Promise<void> {
  const name = await nameIn(file);
  if (name !== null) await withdrawOrder(file, name);
}

const claimOf = (file: string, name: string): Promise<string | null> =>
  readFile(`${file}.${name}`, 'utf8').catch(() => null);

const nameIn = async (file: string): Promise<string | null> =>
  (await readFile(file, 'utf8').catch(() => null))?.split('\n')[0] ?? null;

async function sweep(file: string, keep: string): Promise<void> {
  const folder = path.dirname(file);
  for (const entry of await readdir(folder)) {
    if (!entry.startsWith(`${path.basename(file)}.`) || entry.endsWith(`.${keep}`)) continue;
    const stats = await stat(path.join(folder, entry)).catch(() => null);
    if (stats !== null && Date.now() - stats.mtimeMs > OLD_MS) await rm(path.join(folder, entry), { force: true });
  }
}
