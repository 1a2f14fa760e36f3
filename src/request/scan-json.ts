// A strict reader of JSON's grammar that keeps no values: it finds where a text stops being JSON and says
// why in words, and finds keys we refuse. JSON.parse makes the value afterwards (see parse-json.ts).

import { quote } from './quote.ts';

export const MAX_DEPTH = 64;
// Keys that reach into an object's inner life instead of its content.
const FORBIDDEN_KEYS = new Set(['__proto__', 'constructor', 'prototype']);

export type Flaw = { at: number; keys: PropertyKey[]; message: string; cure: string };

class Stop {
  readonly flaw: Flaw;
  constructor(flaw: Flaw) {
    this.flaw = flaw;
  }
}

export function scanJson(text: string): Flaw | null {
  const scan = new Scan(text);
  try {
    scan.whole();
    return null;
  } catch (stop) {
    if (stop instanceof Stop) return stop.flaw;
    throw stop;
  }
}

// One pass over one text. The position and the keys that lead to it are all its state.
class Scan {
  private readonly text: string;
  private at = 0;
  private readonly keys: PropertyKey[] = [];

  constructor(text: string) {
    this.text = text;
  }

  whole(): void {
    this.space();
    if (this.at === this.text.length) this.stop('the text is empty', 'write a JSON object: { … }');
    this.value();
    this.space();
    if (this.at < this.text.length) this.stop(`${this.found()} after the end of the JSON value`, 'remove what follows');
  }

  private value(): void {
    const char = this.text[this.at];
    if (char === '{') this.object();
    else if (char === '[') this.list();
    else if (char === '"') this.string();
    else if (char === '-' || isDigit(char)) this.number();
    else this.word();
  }

  private object(): void {
    this.deeper();
    const seen = new Set<string>();
    this.open('}', () => {
      const start = this.at;
      if (this.text[start] !== '"')
        this.stop(`expected a key in double quotes but found ${this.found()}`, keyCure(this.text[start]));
      this.string();
      const key = JSON.parse(this.text.slice(start, this.at)) as string;
      this.keys.push(key);
      this.checkKey(key, seen, start);
      this.space();
      if (this.text[this.at] !== ':')
        this.stop(
          `expected ":" after the key ${quote(key)} but found ${this.found()}`,
          'put ":" between key and value',
        );
      this.at += 1;
      this.space();
      this.value();
      this.keys.pop();
    });
  }

  private checkKey(key: string, seen: Set<string>, start: number): void {
    if (FORBIDDEN_KEYS.has(key))
      this.stop(`the key ${quote(key)} is not allowed`, 'remove it or give it another name', start);
    if (seen.has(key)) this.stop(`the key ${quote(key)} stands here a second time`, 'keep one of the two', start);
    seen.add(key);
  }

  private list(): void {
    this.deeper();
    let index = 0;
    this.open(']', () => {
      this.keys.push(index);
      this.value();
      this.keys.pop();
      index += 1;
    });
  }

  // The items between two brackets, with commas between them and none after the last.
  private open(close: '}' | ']', item: () => void): void {
    this.at += 1;
    this.space();
    if (this.text[this.at] === close) {
      this.at += 1;
      return;
    }
    for (;;) {
      item();
      this.space();
      const char = this.text[this.at];
      if (char === close) break;
      if (char !== ',') this.stop(`expected "," or "${close}" but found ${this.found()}`, gapCure(char, close));
      const comma = this.at;
      this.at += 1;
      this.space();
      if (this.text[this.at] === close)
        this.stop(`a comma before "${close}"`, 'remove the comma after the last item', comma);
    }
    this.at += 1;
  }

  private deeper(): void {
    if (this.keys.length >= MAX_DEPTH)
      this.stop(`nested deeper than ${MAX_DEPTH} levels`, 'write it flatter; a request needs 5 levels');
  }

  private string(): void {
    const start = this.at;
    for (this.at += 1; ; this.at += 1) {
      const code = this.text.charCodeAt(this.at);
      if (code === 0x22) break;
      if (Number.isNaN(code)) this.stop('a text that never ends', 'close it with a double quote', start);
      if (code === 0x0a || code === 0x0d)
        this.stop('a line break inside a text', 'close the quote on the same line, or write \\n');
      if (code < 0x20)
        this.stop('a control character inside a text', `write it as \\u${code.toString(16).padStart(4, '0')}`);
      if (code === 0x5c) this.escape();
    }
    this.at += 1;
  }

  private escape(): void {
    const char = this.text[this.at + 1] ?? '';
    if (char === 'u' && /^[0-9a-fA-F]{4}$/.test(this.text.slice(this.at + 2, this.at + 6))) this.at += 5;
    else if (char !== '' && '"\\/bfnrt'.includes(char)) this.at += 1;
    else this.stop(`"\\${char}" is no escape of JSON`, 'write \\\\ for a backslash, or \\u and four hex digits');
  }

  private number(): void {
    const rest = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
    rest.lastIndex = this.at;
    const match = rest.exec(this.text);
    const end = this.at + (match?.[0].length ?? 0);
    if (match === null || /[\w.+-]/.test(this.text[end] ?? '')) {
      const whole = /[\w.+-]*/y;
      whole.lastIndex = this.at;
      this.stop(
        `${quote(whole.exec(this.text)![0])} is no number of JSON`,
        'write it like 12, -3.5 or 1e6, or put it in double quotes',
      );
    }
    this.at = end;
  }

  private word(): void {
    const word = /[\p{L}\p{N}_$]*/uy;
    word.lastIndex = this.at;
    const found = word.exec(this.text)![0];
    if (found === 'true' || found === 'false' || found === 'null') this.at += found.length;
    else this.stop(`expected a value but found ${this.found()}`, valueCure(this.text[this.at], found));
  }

  private space(): void {
    for (;;) {
      const code = this.text.charCodeAt(this.at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
      this.at += 1;
    }
  }

  private found(): string {
    const word = /[\p{L}\p{N}_$]+|./suy;
    word.lastIndex = this.at;
    const match = word.exec(this.text);
    return match === null ? 'the end of the file' : quote(match[0]);
  }

  private stop(message: string, cure: string, at = this.at): never {
    throw new Stop({ at, keys: [...this.keys], message, cure });
  }
}

const isDigit = (char: string | undefined) => char !== undefined && char >= '0' && char <= '9';

function keyCure(char: string | undefined): string {
  if (char === '/' || char === '#') return 'remove the comment; JSON has none';
  return char === undefined ? 'the file seems cut off; write the missing end' : 'put the key in double quotes';
}

function gapCure(char: string | undefined, close: string): string {
  if (char === undefined) return 'the file seems cut off; write the missing end';
  if (char === '/' || char === '#') return 'remove the comment; JSON has none';
  return `put a comma between two items, or "${close}" after the last`;
}

function valueCure(char: string | undefined, word: string): string {
  if (char === undefined) return 'the file seems cut off; write the missing end';
  if (char === '/' || char === '#') return 'remove the comment; JSON has none';
  if (char === "'") return 'use double quotes';
  const lower = word.toLowerCase();
  if (lower === 'true' || lower === 'false' || lower === 'null') return `write it in small letters: ${lower}`;
  if (lower === 'none' || lower === 'undefined' || lower === 'nan') return 'write null, or leave the key out';
  return 'write a text in double quotes, a number, true, false, null, { … } or [ … ]';
}
