// "Did you mean …?": the known name that a mistyped one is closest to, or null when none is close.

export function nearest(word: string, known: readonly string[]): string | null {
  const limit = Math.max(2, Math.floor(word.length / 3));
  let best: string | null = null;
  let bestDistance = limit + 1;
  for (const name of known) {
    if (Math.abs(name.length - word.length) >= bestDistance) continue;
    const distance = editDistance(fold(word), fold(name));
    if (distance < bestDistance && distance < name.length) [best, bestDistance] = [name, distance];
  }
  return best ?? known.find(name => isBeginning(fold(name), fold(word)) || isBeginning(fold(word), fold(name))) ?? null;
}

// "warning" for warn, "deps" is too little for dependencies but "depend" is enough.
const isBeginning = (part: string, word: string) => part.length >= 4 && word.startsWith(part);

// maxRetries, max-retries and MAX_RETRIES are all one step from max_retries.
const fold = (word: string) =>
  word
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replaceAll('-', '_');

// Letters inserted, left out, replaced, or two neighbours swapped.
function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const same = a[row - 1] === b[column - 1] ? 0 : 1;
      let cost = Math.min(last[column]! + 1, current[column - 1]! + 1, last[column - 1]! + same);
      if (row > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]) {
        cost = Math.min(cost, before[column - 2]! + 1);
      }
      current.push(cost);
    }
    [before, last] = [last, current];
  }
  return last[b.length]!;
}
