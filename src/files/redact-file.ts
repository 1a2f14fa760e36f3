// Redacts one file in place, in a stream: whatever its size, a secret over two chunks is found.

import { open, rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { NotRegular, openRegular } from './read-file.ts';
import type { Finder } from './redact.ts';
import { tempBeside } from './write-file.ts';

// The longest look-behind of a shape, kept from what was already written.
const LOOK_BEHIND = 256;

export async function redactFile(path: string, finder: Finder, chunkBytes = 256 * 1024): Promise<boolean> {
  const source = await openRegular(path).catch(error => {
    if (error instanceof NotRegular || error.code === 'ENOENT') return null;
    throw error;
  });
  if (source === null) return false;
  const temp = tempBeside(path);
  let found = false;
  try {
    const goal = await open(temp, 'wx', 0o600);
    const chunks = source.createReadStream({ encoding: 'latin1', highWaterMark: chunkBytes });
    const redacted = redactChunks(chunks, finder, () => {
      found = true;
    });
    await pipeline(redacted, goal.createWriteStream({ encoding: 'latin1', flush: true }));
    if (found) await rename(temp, path);
    return found;
  } finally {
    await source.close();
    await rm(temp, { force: true });
  }
}

async function* redactChunks(chunks: AsyncIterable<string>, finder: Finder, onFound: () => void) {
  let text = '';
  // What stands before `done` in `text` is already written and only there to be looked behind at.
  let done = 0;
  for await (const chunk of chunks) {
    text += chunk;
    // A match that starts before this point ends inside the text, so more text would not change it.
    const limit = text.length - finder.reach - 1;
    if (limit <= done) continue;
    const step = redactUpTo(text, done, limit, finder);
    if (step.found) onFound();
    yield Buffer.from(step.out, 'latin1');
    const kept = Math.max(0, step.done - LOOK_BEHIND);
    text = text.slice(kept);
    done = step.done - kept;
  }
  const last = redactUpTo(text, done, text.length, finder);
  if (last.found) onFound();
  yield Buffer.from(last.out, 'latin1');
}

function redactUpTo(text: string, from: number, limit: number, finder: Finder) {
  const { pattern, replacement } = finder;
  let out = '';
  let done = from;
  let found = false;
  pattern.lastIndex = from;
  for (let match = pattern.exec(text); match !== null && match.index < limit; match = pattern.exec(text)) {
    out += text.slice(done, match.index) + replacement(match[0]);
    done = match.index + match[0].length;
    found = true;
  }
  const end = Math.max(done, limit);
  return { out: out + text.slice(done, end), done: end, found };
}
