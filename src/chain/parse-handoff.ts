// The last `## HANDOFF` section in what an agent wrote: what a fresh session goes on from. Whether the work
// is really done is proven elsewhere; here only the agent's own words are read.

export type Handoff = { isComplete: boolean; body: string };

// Markdown allows three spaces before a heading; people and models add emphasis and a colon.
// A file of that name in a heading ("## HANDOFF.md") is none.
const HEADING = /^ {0,3}##\s+[*_]*HANDOFF(?![\w]|[.-]\w)(?<rest>.*)$/i;
// Complete only when nothing but punctuation follows: "COMPLETE except the tests" is not. In backticks it is
// quoted, not said.
const COMPLETE = /^[\s>#*_-]*HANDOFF[*_\s]*:[*_\s]*COMPLETE[*_\s]*(?:[.!,;:)\u2013\u2014-].*)?$/i;
const ANY_FENCE = /^ {0,3}(?<fence>`{3,}|~{3,})/;
const END_OF_SECTION = /^ {0,3}##?\s+\S/;

type Line = { text: string; fence: number | null };

export function parseHandoff(text: string | null | undefined): Handoff | null {
  if (!text) return null;
  const lines = fencedLines(text);
  const headings = lines.flatMap((line, at) => (HEADING.test(line.text) || COMPLETE.test(line.text) ? [at] : []));
  // A fence is how an agent quotes the rule it was given; it counts only where nothing stands outside one.
  const open = headings.filter(at => lines[at]!.fence === null);
  const from = (open.length > 0 ? open : headings).findLast(at => HEADING.test(lines[at]!.text));
  const word = (open.length > 0 ? open : headings).findLast(at => COMPLETE.test(lines[at]!.text));
  if (from === undefined) return word === undefined ? null : { isComplete: true, body: '' };
  const section = sectionFrom(lines, from);
  return { isComplete: word !== undefined && word >= from, body: bodyOf(section) };
}

// Which code fence each line stands in, by the number of the line that opened it.
function fencedLines(text: string): Line[] {
  let open: { at: number; mark: string } | null = null;
  return text.split(/\r\n|\r|\n/).map((line, at) => {
    const mark = ANY_FENCE.exec(line)?.groups?.fence;
    const inside: number | null = open?.at ?? null;
    if (mark !== undefined && open === null) open = { at, mark };
    else if (mark !== undefined && open !== null && mark.startsWith(open.mark) && line.trim() === mark) open = null;
    return { text: line, fence: inside };
  });
}

function sectionFrom(lines: Line[], from: number): string[] {
  const { fence } = lines[from]!;
  const after = lines.slice(from + 1);
  const leaves = (line: Line) => (fence === null ? false : line.fence !== fence || ANY_FENCE.test(line.text));
  const ends = (line: Line) =>
    line.fence === fence && END_OF_SECTION.test(line.text) && !COMPLETE.test(line.text) && !HEADING.test(line.text);
  const upTo = (isEnd: (line: Line) => boolean) => {
    const end = after.findIndex(isEnd);
    return (end === -1 ? after : after.slice(0, end)).map(line => line.text);
  };
  const first = HEADING.exec(lines[from]!.text)!.groups!.rest!.replace(/^[\s:*_\u2013\u2014-]+/, '');
  const section = upTo(line => leaves(line) || ends(line));
  // "## HANDOFF" right before "## Done" is meant as a title of all that follows.
  const isTitle = first === '' && section.every(line => line.trim() === '');
  return [first, ...(isTitle ? upTo(leaves) : section)];
}

const bodyOf = (section: string[]): string =>
  section
    .join('\n')
    .replace(/^\s*COMPLETE[.!]?\s*$/i, '')
    .trim();
