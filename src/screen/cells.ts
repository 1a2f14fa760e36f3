// The text of `capture-pane -p -e` as rows of cells with their looks. Only SGR is understood: tmux writes
// nothing else there, and whatever else comes is dropped, because a guess about it could invent a cell.

export type Look = { fg: string; bg: string; dim: boolean; inverse: boolean; bold: boolean };
export type Cell = Look & { char: string };
export type Row = { cells: readonly Cell[]; text: string };
// `cursor`: the terminal's own, which is hidden where the program draws one.
export type Size = { width: number; height: number; cursor?: { x: number; y: number } };

const PLAIN: Look = { fg: '', bg: '', dim: false, inverse: false, bold: false };
const ESCAPE = /\u001b(?:\[([0-9;:]*)([@-~])|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\-_])?/y;
const CONTROL = /[\u0000-\u001f\u007f]/;

export function parseCells(text: string): Row[] {
  let look = PLAIN;
  const lines = text.replaceAll('\r', '').split('\n');
  if (lines.at(-1) === '') lines.pop(); // capture-pane ends its last row too
  return lines.map(line => {
    const cells: Cell[] = [];
    let isFresh = false; // the look changed after the last cell
    for (let at = 0; at < line.length; ) {
      if (line[at] === '\u001b') {
        ESCAPE.lastIndex = at;
        const match = ESCAPE.exec(line)!;
        at += match[0].length;
        if (match[2] === 'm') look = restyle(look, match[1]!);
        isFresh = true;
        continue;
      }
      const char = String.fromCodePoint(line.codePointAt(at)!);
      at += char.length;
      if (CONTROL.test(char)) continue;
      cells.push({ ...look, char });
      isFresh = false;
    }
    // tmux leaves out blanks at the end of a row, the cursor of an empty input box among them.
    if (isFresh && look.inverse) cells.push({ ...look, char: ' ' });
    return {
      cells,
      text: cells
        .map(cell => cell.char)
        .join('')
        .trimEnd(),
    };
  });
}

function restyle(look: Look, codes: string): Look {
  const next = { ...look };
  const list = codes.split(/[;:]/);
  for (let at = 0; at < list.length; at += 1) {
    const code = Number(list[at] || 0);
    if (code === 0) Object.assign(next, PLAIN);
    else if (code === 1) next.bold = true;
    else if (code === 2) next.dim = true;
    else if (code === 22) next.bold = next.dim = false;
    else if (code === 7) next.inverse = true;
    else if (code === 27) next.inverse = false;
    else if (code === 38 || code === 48) {
      const length = list[at + 1] === '5' ? 3 : 5;
      next[code === 38 ? 'fg' : 'bg'] = list.slice(at + 1, at + length).join(';');
      at += length - 1;
    } else if (code === 39) next.fg = '';
    else if (code === 49) next.bg = '';
    else if ((code >= 30 && code <= 37) || (code >= 90 && code <= 97)) next.fg = String(code);
    else if ((code >= 40 && code <= 47) || (code >= 100 && code <= 107)) next.bg = String(code);
  }
  return next;
}
