// The tar format, read with suspicion: only what tar.ts writes. Anything else (hard links, devices,
// foreign extensions, wrong sums, a torn end, something behind the end) is an OddArchive.

import { BLOCK, checksum, type TarEntry } from './tar.ts';

export class OddArchive extends Error {
  override name = 'OddArchive';
}

export type ReadEntry = TarEntry & { content: AsyncIterable<Buffer> };

// Two names of 4096 bytes, a size and a time.
const MAX_PAX_BYTES = 16_384;
const PAX_KEYS = ['path', 'linkpath', 'size', 'mtime'];

// Reads exact counts from a stream of chunks, holding no more than one chunk.
class Source {
  readonly #chunks: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(chunks: AsyncIterable<Buffer>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  async isAtEnd(): Promise<boolean> {
    while (this.#rest.length === 0) {
      const next = await this.#chunks.next();
      if (next.done) return true;
      this.#rest = next.value;
    }
    return false;
  }

  async upTo(count: number): Promise<Buffer> {
    if (await this.isAtEnd()) throw new OddArchive('it ends too early');
    const part = this.#rest.subarray(0, count);
    this.#rest = this.#rest.subarray(part.length);
    return part;
  }

  async exactly(count: number): Promise<Buffer> {
    const parts: Buffer[] = [];
    for (let left = count; left > 0; left -= parts.at(-1)?.length ?? 0) parts.push(await this.upTo(left));
    return Buffer.concat(parts);
  }
}

// What the caller leaves of an entry's content is skipped. A single member of an archive has no end
// marker: with `part` the end of the stream is the end.
export async function* readTar(
  chunks: AsyncIterable<Buffer>,
  options: { part?: boolean } = {},
): AsyncGenerator<ReadEntry> {
  const source = new Source(chunks);
  while (!(options.part && (await source.isAtEnd()))) {
    const entry = await readHeader(source);
    if (entry === null) return checkEnd(source);
    let left = entry.size;
    const take = async function* () {
      while (left > 0) {
        const part = await source.upTo(left);
        left -= part.length;
        yield part;
      }
    };
    yield { ...entry, content: take() };
    for await (const _ of take());
    await source.exactly((BLOCK - (entry.size % BLOCK)) % BLOCK);
  }
}

async function checkEnd(source: Source): Promise<void> {
  if (!isEmpty(await source.exactly(BLOCK))) throw new OddArchive('its end is not marked');
  if (!(await source.isAtEnd())) throw new OddArchive('something stands behind its end');
}

const isEmpty = (block: Buffer) => block.every(byte => byte === 0);

async function readHeader(source: Source): Promise<TarEntry | null> {
  const block = await source.exactly(BLOCK);
  if (isEmpty(block)) return null;
  const entry = parseBlock(block);
  if (entry.type !== 'x') return entry;
  if (entry.size > MAX_PAX_BYTES) throw new OddArchive('an extended header is too long');
  const records = parsePax(await source.exactly(entry.size));
  await source.exactly((BLOCK - (entry.size % BLOCK)) % BLOCK);
  const described = parseBlock(await source.exactly(BLOCK));
  return {
    ...described,
    name: records.get('path') ?? described.name,
    link: records.get('linkpath') ?? described.link,
    size: records.has('size') ? toCount(records.get('size') ?? '') : described.size,
    mtimeMs: records.has('mtime') ? toTime(records.get('mtime') ?? '') : described.mtimeMs,
  };
}

function parseBlock(block: Buffer): TarEntry {
  const text = (at: number, length: number) => {
    const field = block.subarray(at, at + length);
    const end = field.indexOf(0);
    return field.toString('utf8', 0, end < 0 ? length : end);
  };
  const octal = (at: number, length: number) => {
    const digits = text(at, length).trim();
    if (!/^[0-7]{1,12}$/.test(digits)) throw new OddArchive('a header holds no number where one belongs');
    return Number.parseInt(digits, 8);
  };
  if (octal(148, 8) !== checksum(block)) throw new OddArchive('a header is damaged');
  if (block.toString('latin1', 257, 265) !== 'ustar\x0000') throw new OddArchive('a header is of a foreign kind');
  if (text(345, 155) !== '') throw new OddArchive('a header has a name prefix');
  const type = block.toString('latin1', 156, 157);
  const numbers = { size: octal(124, 12), mode: octal(100, 8), mtimeMs: octal(136, 12) * 1000 };
  return { name: text(0, 100), type, link: text(157, 100), ...numbers };
}

function parsePax(bytes: Buffer): Map<string, string> {
  const records = new Map<string, string>();
  for (let at = 0; at < bytes.length; ) {
    const match = /^([1-9]\d{0,5}) ([a-z]+)=/.exec(bytes.toString('latin1', at, at + 32));
    const length = Number(match?.[1]);
    const key = match?.[2] ?? '';
    const end = at + length;
    if (!match || end > bytes.length || bytes[end - 1] !== 0x0a || match[0].length >= length || records.has(key)) {
      throw new OddArchive('an extended header is damaged');
    }
    if (!PAX_KEYS.includes(key)) throw new OddArchive(`an extended header holds "${key}"`);
    records.set(key, bytes.toString('utf8', at + match[0].length, end - 1));
    at = end;
  }
  return records;
}

function toCount(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new OddArchive('an extended header holds a wrong size');
  return Number(text);
}

function toTime(text: string): number {
  if (!/^-?\d{1,12}(?:\.\d{1,9})?$/.test(text)) throw new OddArchive('an extended header holds a wrong time');
  return Number(text) * 1000;
}
