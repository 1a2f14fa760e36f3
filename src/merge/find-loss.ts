// What JSON.parse would change without a word: a key that stands twice in one object, and a number of more
// digits than a double holds. Two such texts could differ and still read the same. Pure.

// text: valid JSON; value: what was read from it.
export function findLoss(text: string, value: unknown): string | null {
  let keys = 0;
  for (let at = 0; at < text.length; ) {
    const char = text[at]!;
    if (char === '"') {
      at = endOfString(text, at);
      if (text[endOf(BLANKS, text, at)] === ':') keys += 1;
    } else if (char === '-' || (char >= '0' && char <= '9')) {
      const end = endOf(NUMBER, text, at);
      const number = text.slice(at, end);
      if (toDigits(number) !== toDigits(String(Number(number)))) {
        return `holds the number ${number.slice(0, 60)}, which would be rounded; write it as a text`;
      }
      at = end;
    } else at += 1;
  }
  return keys === countKeys(value) ? null : 'holds an object with one key twice; keep one of the two';
}

const BLANKS = /[ \t\r\n]*/y;
const NUMBER = /[-+.0-9eE]*/y;

function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  pattern.test(text);
  return pattern.lastIndex;
}

// Not by a pattern: one for strings with escapes runs out of stack on megabytes.
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); ; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text[end - 1 - slashes] === '\\') slashes += 1;
    if (slashes % 2 === 0) return end + 1;
  }
}

// "1.50e3" and "1500" are both 15e2: the digits that count, and where they stand.
function toDigits(number: string): string {
  const [mantissa = '', exponent = '0'] = number.toLowerCase().replace('-', '').split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  const short = digits.replace(/0+$/, '');
  return short === '' ? '0' : `${short}e${Number(exponent) - fraction.length + digits.length - short.length}`;
}

function countKeys(value: unknown): number {
  let count = 0;
  const open = [value];
  for (let item = open.pop(); item !== undefined; item = open.pop()) {
    if (typeof item !== 'object' || item === null) continue;
    const inner: unknown[] = Object.values(item);
    if (!Array.isArray(item)) count += inner.length;
    for (const one of inner) open.push(one);
  }
  return count;
}
