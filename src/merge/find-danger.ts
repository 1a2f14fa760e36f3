// What in a JSON value would break or deceive code that walks it. Pure.

// Deeper than anything sensible, and far from what would overflow the stack of a recursive walk.
const MAX_DEPTH = 200;

// Walks without recursion: what it looks for is what would break a recursive walk.
export function findDanger(value: unknown): string | null {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) return `is nested more than ${MAX_DEPTH} levels deep; make it flatter`;
    const next: unknown[] = [];
    for (const item of level) {
      if (typeof item !== 'object' || item === null) continue;
      if (Object.hasOwn(item, '__proto__')) return 'holds a key named "__proto__"; rename it';
      for (const child of Object.values(item)) next.push(child);
    }
    level = next;
  }
  return null;
}
