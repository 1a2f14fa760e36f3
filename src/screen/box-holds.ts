// Does the input box show exactly this text, with nothing of anybody else before, in or behind it? Pure.

// Long texts are shown as "[Pasted text #3 +12 lines]": only the number of further lines tells them apart.
const COLLAPSED = /^\[Pastedtext#\d+(?:\+(\d+)lines?)?\]$/;
// A box that is too small shows the end of its text only; a few letters could be the end of anything.
const SHORTEST_END = 20;

export function boxHolds(draft: string | null, text: string): boolean {
  if (draft === null) return false;
  const [shown, wanted] = [bare(draft), bare(text)];
  const collapsed = COLLAPSED.exec(shown);
  if (collapsed !== null) return Number(collapsed[1] ?? 0) === furtherLines(text);
  return shown === wanted || (shown.length >= SHORTEST_END && wanted.endsWith(shown));
}

// What Baton typed into a pane, as the pane remembers it (src/tmux/pane-door.ts).
type Typed = {
  text: string | null; // null: too long to be shown in any other way than collapsed
  lines: number; // further ones
  at: number; // ms
};

// The text in the box is what was typed there, and nobody has pressed a key since that could have made it another.
// `keyAt` is in seconds, as tmux tells it.
export function isTyped(draft: string | null, typed: Typed | null, keyAt: number): boolean {
  if (draft === null || typed === null) return false;
  const collapsed = COLLAPSED.exec(bare(draft));
  if (collapsed === null) return typed.text !== null && boxHolds(draft, typed.text);
  return Number(collapsed[1] ?? 0) === typed.lines && keyAt <= Math.floor(typed.at / 1000);
}

const furtherLines = (text: string): number => text.trim().split('\n').length - 1;

const bare = (text: string): string => text.replace(/\s+/g, '');
