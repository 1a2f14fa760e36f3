// Ways to spoil a captured screen. Each is told apart by what it leaves of the truth: `disguise` keeps a screen
// that must not be typed into what it is, `destroy` takes an idle screen's proof away.

export type Random = () => number;

export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export const pick = <T>(list: readonly T[], random: Random): T => list[Math.floor(random() * list.length)]!;
const below = (limit: number, random: Random): number => Math.floor(random() * limit);

type Mutation = (rows: string[], random: Random) => string[];

const QUOTES = [
  '  context: 45.2k tokens (23%)',
  '  ⏸ manual mode on · ← for agents',
  '  ────────────────────────────────────────',
  '  ❯\u00a0\u001b[7m \u001b[0m',
  '  Do you want to proceed?  ❯ 1. Yes  2. No  Esc to cancel',
  '\u001b[38;5;231m●\u001b[39m rule, ❯, rule, context: 99k tokens (99%), ⏸ manual mode on',
  '  ✻ Brewed for 0s · done 5:22 AM',
  '  ⏵⏵ accept edits on (shift+tab to cycle)',
];

// Cuts a row to columns [from, to) and keeps its escapes.
function cutColumns(row: string, from: number, to: number): string {
  let column = 0;
  return row.replace(/\u001b\[[0-9;]*m|[\s\S]/gu, part => {
    if (part.startsWith('\u001b')) return part;
    const isKept = column >= from && column < to;
    column += 1;
    return isKept ? part : '';
  });
}

const widthOf = (rows: readonly string[]): number =>
  Math.max(...rows.map(row => [...row.replace(/\u001b\[[0-9;]*m/g, '')].length));

const lastInked = (rows: readonly string[]): number =>
  rows.findLastIndex(row => row.replace(/\u001b\[[0-9;]*m/g, '').trim() !== '');

export const disguises: Record<string, Mutation> = {
  cutTop: (rows, random) => rows.slice(below(rows.length / 2, random)),
  // The last row stays: below the box of a dead pane it is all that tells.
  cutRows(rows, random) {
    const last = Math.max(1, lastInked(rows));
    const from = below(last, random);
    return rows.toSpliced(from, Math.min(1 + below(6, random), last - from));
  },
  cutRight: (rows, random) => {
    const to = 1 + below(widthOf(rows), random);
    return rows.map(row => cutColumns(row, 0, to));
  },
  cutLeft: (rows, random) => {
    const from = 1 + below(6, random);
    return rows.map(row => cutColumns(row, from, 1e9));
  },
  shiftRight: (rows, random) => {
    const by = ' '.repeat(1 + below(4, random));
    return rows.map(row => by + row);
  },
  shiftDown: (rows, random) => [...Array<string>(1 + below(8, random)).fill(''), ...rows],
  oneColour: (rows, random) => {
    const colour = below(256, random);
    return rows.map(row => row.replace(/38;5;\d+/g, `38;5;${colour}`));
  },
  noColour: rows => rows.map(row => row.replace(/\u001b\[(?:38;5;\d+|38;2;[\d;]+|3\d|9\d)m/g, '')),
  noBackground: rows => rows.map(row => row.replace(/\u001b\[(?:48;5;\d+|48;2;[\d;]+|4\d|10\d)m/g, '')),
  noDim: rows => rows.map(row => row.replace(/\u001b\[0;2m/g, '\u001b[0m').replace(/\u001b\[2m/g, '')),
  noEscapes: rows => rows.map(row => row.replace(/\u001b\[[0-9;]*m/g, '')),
  recolour: (rows, random) => {
    const [from, to] = [pick([246, 244, 174, 211, 153, 220, 241], random), below(256, random)];
    return rows.map(row => row.replaceAll(`38;5;${from}m`, `38;5;${to}m`));
  },
  resizeWider: (rows, random) => rows.map(row => row + ' '.repeat(below(30, random))),
  resizeLower: (rows, random) => rows.slice(0, Math.max(lastInked(rows) + 1, rows.length - below(6, random))),
  // Prose is wrapped to the pane: no row is longer than it.
  quote: (rows, random) => {
    // Above the box, where there is one: below it, nothing of the conversation is ever drawn.
    const at = below(Math.max(1, boxAt(rows)), random);
    const width = widthOf(rows);
    const fitting = QUOTES.filter(row => widthOf([row]) <= width);
    return rows.toSpliced(at, 0, ...Array.from({ length: 1 + below(6, random) }, () => pick([...fitting, ''], random)));
  },
  quoteBox: (rows, random) => {
    // Somewhere in the conversation: what the screen ends with is still below.
    const at = below(Math.max(1, Math.min(rows.length / 3, lastInked(rows))), random);
    const rule = '─'.repeat(Math.max(0, widthOf(rows) - 2));
    const box = [`  ${rule}`, '  ❯\u00a0\u001b[7m \u001b[0m', `  ${rule}`, '    ⏸ manual mode on'];
    return rows.toSpliced(at, 0, ...box);
  },
};

const boxAt = (rows: readonly string[]): number => rows.findLastIndex(row => row.includes('❯\u00a0'));
const swap = (rows: readonly string[], at: number, change: (row: string) => string): string[] =>
  rows.with(at, change(rows[at]!));

export const destructions: Record<string, Mutation> = {
  noUpperRule: rows => rows.toSpliced(boxAt(rows) - 1, 1),
  noPrompt: rows => rows.toSpliced(boxAt(rows), 1),
  noLowerRule: rows => rows.toSpliced(boxAt(rows) + 1, 1),
  noModeRow: rows => rows.map(row => (/[⏸⏵]/u.test(row) ? '' : row)),
  cutBelow: rows => rows.slice(0, boxAt(rows) + 2),
  plainBlank: rows => swap(rows, boxAt(rows), row => row.replace('\u00a0', ' ')),
  otherMark: (rows, random) =>
    swap(rows, boxAt(rows), row => row.replace('❯', pick(['>', '_', '!', '$', '●'], random))),
  shiftBox: (rows, random) => swap(rows, boxAt(rows), row => ' '.repeat(1 + below(5, random)) + row),
  litLess: (rows, random) =>
    swap(rows, boxAt(rows), row => row.replace('❯', `\u001b[38;5;${pick([246, 241, 90, 153], random)}m❯`)),
  dimMark: rows => swap(rows, boxAt(rows), row => row.replace('❯', '\u001b[2m❯')),
  noCursor: rows => swap(rows, boxAt(rows), row => row.replace(/\u001b\[7m/g, '')),
  typed: (rows, random) =>
    swap(rows, boxAt(rows), row =>
      row.replace('\u00a0', `\u00a0${pick(['x', ' ', 'fix it', '/', '@', '  '], random)}`),
    ),
  brokenRule: (rows, random) =>
    swap(rows, boxAt(rows) + pick([-1, 1], random), row =>
      row.replace('──────', pick(['ls -l ', '      ', '─ ─ ─ '], random)),
    ),
  shortRule: (rows, random) => swap(rows, boxAt(rows) + pick([-1, 1], random), row => row.replace('──', '')),
  shellBelow: (rows, random) => [
    ...rows.slice(0, lastInked(rows) + 1),
    pick(['demo$ ', 'bash-5.2# ', 'Killed', 'Pane is dead (signal 9)', '[1]+  Stopped  claude'], random),
  ],
  spinner: rows => rows.toSpliced(boxAt(rows) - 1, 0, '\u001b[38;5;174m✻\u001b[39m Pondering… (3s)', ''),
  interruptible: rows => rows.map(row => (/[⏸⏵]/u.test(row) ? `${row} · esc to interrupt` : row)),
  armed: rows => rows.map(row => (/[⏸⏵]/u.test(row) ? '  Press Ctrl-C again to exit' : row)),
  searching: rows => rows.map(row => (/[⏸⏵]/u.test(row) ? `  search prompts: \u001b[7m \u001b[0m ${row.trim()}` : row)),
  cutHalf: rows => rows.map(row => cutColumns(row, 0, 19)),
  escapesGone: rows => rows.map(row => row.replace(/\u001b\[[0-9;]*m/g, '')),
};
