// Turns the conflict markers of a merge into text in which both sides are kept and flagged, so that a document
// can be read and committed without anybody having chosen. Pure.

export type KeptSides = { text: string; conflicts: number };

type Part = 'ours' | 'base' | 'theirs';
type Conflict = { size: number; mine: string; ours: string[]; theirs: string[]; part: Part; raw: string[] };

// Seven is git's own length; `conflict-marker-size` makes longer ones.
const OPEN = /^(<{7,})(?: (.*))?$/;

export function keepBothSides(text: string): KeptSides {
  const end = text.includes('\r\n') ? '\r\n' : '\n';
  const out: string[] = [];
  let conflict: Conflict | null = null;
  let conflicts = 0;
  for (const line of text.split(/\r?\n/)) {
    const opened: RegExpExecArray | null = conflict === null ? OPEN.exec(line) : null;
    if (opened !== null) {
      conflict = { size: opened[1]!.length, mine: opened[2] ?? '', ours: [], theirs: [], part: 'ours', raw: [line] };
      continue;
    }
    if (conflict === null) {
      out.push(line);
      continue;
    }
    conflict.raw.push(line);
    const closed = markerIn(line, '>', conflict.size);
    if (conflict.part === 'theirs' && closed !== null) {
      conflicts += 1;
      out.push(...flagged(conflict, closed, conflicts));
      conflict = null;
    } else step(conflict, line);
  }
  // Never closed: it is no conflict of git's, and not a line of it may be lost.
  if (conflict !== null) out.push(...conflict.raw);
  return { text: out.join(end), conflicts };
}

// The same for bytes, every other byte as it is; null: there is no conflict.
export function withSides(bytes: Buffer): Buffer | null {
  const { text, conflicts } = keepBothSides(bytes.toString('latin1'));
  return conflicts === 0 ? null : Buffer.from(text, 'latin1');
}

function step(conflict: Conflict, line: string): void {
  if (conflict.part === 'ours' && markerIn(line, '|', conflict.size) !== null) conflict.part = 'base';
  else if (conflict.part !== 'theirs' && markerIn(line, '=', conflict.size) !== null) conflict.part = 'theirs';
  else if (conflict.part !== 'base') conflict[conflict.part].push(line);
}

// What follows the marker (a branch name), or null when the line is none.
function markerIn(line: string, sign: string, size: number): string | null {
  const marker = sign.repeat(size);
  if (line === marker) return '';
  return line.startsWith(`${marker} `) ? line.slice(size + 1) : null;
}

function flagged(conflict: Conflict, theirs: string, number: number): string[] {
  const named = (name: string) => (name === '' ? '' : ` (${name})`);
  return [
    `> **CONFLICT ${number}: both sides are kept. One side${named(conflict.mine)}:**`,
    '',
    ...conflict.ours,
    '',
    `> **CONFLICT ${number}: the other side${named(theirs)}:**`,
    '',
    ...conflict.theirs,
    '',
    `> **CONFLICT ${number} ends here.**`,
  ];
}
