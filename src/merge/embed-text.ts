// Puts a text of an agent into a markdown report so that it cannot break out of its section. Pure.

const HEADING = /^( {0,3})(#{1,6})(?=[ \t]|$)/;
const UNDERLINE = /^ {0,3}(=+|-+)[ \t]*$/;
const FENCE = /^ {0,3}(`{3,}|~{3,})(.*)$/;
// Open tags and comments can swallow what follows; such a text is shown as it is written, in a fence.
const HTML = /<[A-Za-z!/?]/;

export function embedMarkdown(text: string, depth: number): string {
  const clean = withoutControls(text);
  if (HTML.test(clean)) return embedPlain(text);
  const lines: string[] = [];
  let fence: string | null = null;
  for (const line of clean.split('\n')) {
    const mark = FENCE.exec(line);
    if (fence !== null) {
      if (mark && mark[1]!.startsWith(fence) && mark[2]!.trim() === '') fence = null;
    } else if (mark && !(mark[1]!.startsWith('`') && mark[2]!.includes('`'))) fence = mark[1]!;
    else if (demoteUnderlined(lines, line, depth)) continue;
    lines.push(fence === null && !mark ? demote(line, depth) : line);
  }
  if (fence !== null) lines.push(fence);
  return lines.join('\n').trim();
}

function demote(line: string, depth: number): string {
  return line.replace(HEADING, (_all, indent: string, marks: string) => {
    return `${indent}${'#'.repeat(Math.min(6, marks.length + depth))}`;
  });
}

// "Title" over "=====" is a heading too.
function demoteUnderlined(lines: string[], line: string, depth: number): boolean {
  const above = lines.at(-1);
  const mark = UNDERLINE.exec(line)?.[1];
  const isText = above !== undefined && /^ {0,3}[^\s#>|*+-]/.test(above) && !FENCE.test(above);
  if (!mark || !isText) return false;
  lines[lines.length - 1] = `${'#'.repeat(Math.min(6, (mark.startsWith('=') ? 1 : 2) + depth))} ${above.trim()}`;
  return true;
}

export function embedPlain(text: string): string {
  const clean = withoutControls(text);
  const longest = Math.max(2, ...[...clean.matchAll(/`+/g)].map(run => run[0].length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}text\n${clean.replace(/\n$/, '')}\n${fence}`;
}

// A name or path on one line, as code.
export function embedName(name: string): string {
  const line = withoutControls(name).replaceAll(/\s/g, ' ').replaceAll('|', '\\|');
  const longest = Math.max(0, ...[...line.matchAll(/`+/g)].map(run => run[0].length));
  const mark = '`'.repeat(longest + 1);
  const space = longest > 0 ? ' ' : '';
  return `${mark}${space}${line}${space}${mark}`;
}

function withoutControls(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n').replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '');
}
