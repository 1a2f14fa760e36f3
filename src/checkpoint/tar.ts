// The tar format, written: ustar headers, with a pax header before an entry whose name, link, size or
// time does not fit. Pure; the reader is read-tar.ts.

export const BLOCK = 512;

export type TarEntry = {
  name: string;
  // '0' file, '5' folder, '2' symlink; the reader refuses every other kind.
  type: string;
  size: number;
  mode: number;
  mtimeMs: number;
  link: string;
};

// Eleven octal digits.
const MAX_SIZE = 0o77777777777;

export function tarHeader(entry: TarEntry): Buffer {
  const records = paxRecords(entry);
  const header = ustarBlock(entry);
  if (records.length === 0) return header;
  const pax = { name: 'PaxHeader', type: 'x', size: records.length, mode: 0o644, mtimeMs: 0, link: '' };
  return Buffer.concat([ustarBlock(pax), records, padding(records.length), header]);
}

export function padding(size: number): Buffer {
  return Buffer.alloc((BLOCK - (size % BLOCK)) % BLOCK);
}

export const tarEnd: Buffer = Buffer.alloc(2 * BLOCK);

function paxRecords(entry: TarEntry): Buffer {
  const records: string[] = [];
  if (!fits(entry.name)) records.push(paxRecord('path', entry.name));
  if (!fits(entry.link)) records.push(paxRecord('linkpath', entry.link));
  if (entry.size > MAX_SIZE) records.push(paxRecord('size', String(entry.size)));
  if (entry.mtimeMs % 1000 !== 0 || entry.mtimeMs < 0) records.push(paxRecord('mtime', toSeconds(entry.mtimeMs)));
  return Buffer.from(records.join(''));
}

const fits = (text: string) => /^[\x20-\x7e]{0,100}$/.test(text);

// Microseconds: what Node can read from and write to a file's time without loss.
function toSeconds(ms: number): string {
  const micros = Math.round(Math.abs(ms) * 1000);
  return `${ms < 0 ? '-' : ''}${Math.floor(micros / 1e6)}.${String(micros % 1e6).padStart(6, '0')}`;
}

// "<length> key=value\n", where the length counts its own digits.
function paxRecord(key: string, value: string): string {
  const body = ` ${key}=${value}\n`;
  const bytes = Buffer.byteLength(body);
  let length = bytes + String(bytes).length;
  if (bytes + String(length).length !== length) length = bytes + String(length).length;
  return `${length}${body}`;
}

function ustarBlock(entry: TarEntry): Buffer {
  const block = Buffer.alloc(BLOCK);
  const octal = (value: number, at: number, digits: number) =>
    block.write(value.toString(8).padStart(digits, '0'), at, 'latin1');
  Buffer.from(entry.name).copy(block, 0, 0, 100);
  octal(entry.mode, 100, 7);
  octal(0, 108, 7);
  octal(0, 116, 7);
  octal(Math.min(entry.size, MAX_SIZE), 124, 11);
  octal(Math.min(Math.max(0, Math.floor(entry.mtimeMs / 1000)), MAX_SIZE), 136, 11);
  block.write(entry.type, 156, 'latin1');
  Buffer.from(entry.link).copy(block, 157, 0, 100);
  block.write('ustar\x0000', 257, 'latin1');
  octal(checksum(block), 148, 6);
  block.write('\0 ', 154, 'latin1');
  return block;
}

// The sum of all bytes, the checksum's own field taken as spaces.
export function checksum(block: Buffer): number {
  let sum = 8 * 0x20;
  for (let at = 0; at < BLOCK; at += 1) if (at < 148 || at >= 156) sum += block[at] ?? 0;
  return sum;
}
