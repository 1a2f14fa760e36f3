// Writes the entries of a checkpoint as gzip members of about a megabyte. Members can be found again and
// unpacked one by one, and to every other reader they are one ordinary .tar.gz.

import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { createGzip, gzip } from 'node:zlib';
import { padding, type TarEntry, tarEnd, tarHeader } from './tar.ts';

export const pack: (bytes: Buffer) => Promise<Buffer> = promisify(gzip);

const MEMBER_BYTES = 1024 * 1024;

export class BodyWriter {
  readonly parts: number[] = [0];
  readonly #goal: FileHandle;
  #pending: Buffer[] = [];
  #pendingBytes = 0;

  constructor(goal: FileHandle) {
    this.#goal = goal;
  }

  // The member the next entry goes to.
  get part(): number {
    return this.parts.length - 1;
  }

  async add(entry: TarEntry, content: Buffer): Promise<void> {
    const blocks = [tarHeader(entry), content, padding(content.length)];
    this.#pending.push(...blocks);
    for (const block of blocks) this.#pendingBytes += block.length;
    if (this.#pendingBytes >= MEMBER_BYTES) await this.#flush();
  }

  // A large file gets a member of its own. Exactly `entry.size` bytes are written whatever the file does
  // meanwhile: a longer one is cut there, a shorter one filled with zeros. Answers with the hash of that.
  async addLarge(entry: TarEntry, source: FileHandle): Promise<string> {
    await this.#flush();
    const hash = createHash('sha256');
    const blocks = Readable.from(exactBlocks(entry, source, hash.update.bind(hash)));
    let written = 0;
    await pipeline(blocks, createGzip(), async chunks => {
      for await (const chunk of chunks) {
        await this.#goal.writeFile(chunk);
        written += chunk.length;
      }
    });
    this.#endMember(written);
    return hash.digest('hex');
  }

  async end(): Promise<void> {
    this.#pending.push(tarEnd);
    await this.#flush();
    await this.#goal.sync();
  }

  async #flush(): Promise<void> {
    if (this.#pending.length === 0) return;
    const packed = await pack(Buffer.concat(this.#pending));
    this.#pending = [];
    this.#pendingBytes = 0;
    await this.#goal.writeFile(packed);
    this.#endMember(packed.length);
  }

  #endMember(bytes: number): void {
    this.parts.push((this.parts.at(-1) ?? 0) + bytes);
  }
}

async function* exactBlocks(entry: TarEntry, source: FileHandle, onContent: (chunk: Buffer) => void) {
  yield tarHeader(entry);
  let left = entry.size;
  for await (const chunk of source.createReadStream({ autoClose: false, start: 0, end: entry.size - 1 })) {
    left -= chunk.length;
    onContent(chunk);
    yield chunk;
  }
  while (left > 0) {
    const zeros = Buffer.alloc(Math.min(left, 65_536));
    left -= zeros.length;
    onContent(zeros);
    yield zeros;
  }
  yield padding(entry.size);
}
