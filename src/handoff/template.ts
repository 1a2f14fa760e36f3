// The handoff template: the built-in one, and what a template demands: its sections and its placeholders, which
// are the template's own strings. Pure.

export const DEFAULT_TEMPLATE = `# Orchestration Handoff

## Session Info

- **Timestamp**: <YYYY-MM-DD HH:MM>
- **Reason**: <context threshold | manual | error recovery>
- **Context at handoff**: <token count if known>

## Active Workers

| Session | Task | Status | Branch | Last Update |
|---------|------|--------|--------|-------------|
| | | | | |

## Pending Tasks

- [ ] <task description>

## Blocked Items

| Item | Blocker | Action Needed |
|------|---------|---------------|
| | | |

## Recent Events

<!-- Last 5-10 significant events -->

## Next Actions

<!-- What the next session should do first -->

## Notes

<!-- Any context that would be lost without capture -->
`;

export type Section = { title: string; lines: string[] };
export type Template = { sections: Section[]; placeholders: string[] };

export function parseTemplate(text: string): Template {
  const sections = sectionsOf(text);
  const placeholders = new Set<string>();
  for (const line of outsideFences(text)) for (const found of line.matchAll(PLACEHOLDER)) placeholders.add(found[0]);
  return { sections, placeholders: [...placeholders] };
}

// <words in angle brackets> and <!-- hints -->; a bare <br> or <https://…> is text.
const PLACEHOLDER = /<!--.*?-->|<(?!\/|https?:|mailto:)[A-Za-z][^<>\n]*[\s|-][^<>\n]*>/g;

// Level-two headings outside code fences; what stands before the first is the head, which is no section.
export function sectionsOf(text: string): Section[] {
  const sections: Section[] = [];
  let fence: string | null = null;
  for (const line of text.split(/\r\n|\r|\n/)) {
    fence = fenceAfter(fence, line);
    const title = fence === null ? /^ {0,3}##\s+(.+?)\s*#*\s*$/.exec(line)?.[1] : undefined;
    if (title !== undefined) sections.push({ title, lines: [] });
    else sections.at(-1)?.lines.push(line);
  }
  return sections;
}

function fenceAfter(fence: string | null, line: string): string | null {
  const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
  if (mark === undefined) return fence;
  if (fence === null) return mark;
  return mark.startsWith(fence) && line.trim() === mark ? null : fence;
}

export function outsideFences(text: string): string[] {
  let fence: string | null = null;
  return text.split(/\r\n|\r|\n/).filter(line => {
    const before: string | null = fence;
    fence = fenceAfter(fence, line);
    return before === null && fence === null;
  });
}

// Headings are compared without case, emphasis and punctuation: "## **Next actions:**" is "Next Actions".
export const sameTitle = (a: string, b: string): boolean => bare(a) === bare(b);
const bare = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

export const lineCount = (text: string): number => (text === '' ? 0 : text.replace(/\n$/, '').split('\n').length);
