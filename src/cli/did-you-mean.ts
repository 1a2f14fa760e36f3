// The hint after an unknown name: the known one it was probably meant to be, or null.

import { nearest } from '../request/nearest.ts';

export function didYouMean(wrong: string, known: readonly string[]): string | null {
  // Half a word, as people type it when completion is off: "comp" for "completion".
  const begun = wrong.length >= 3 ? known.filter(name => name.startsWith(wrong)) : [];
  const near = begun.length === 1 ? begun[0]! : nearest(wrong, known);
  return near === null ? null : `did you mean "${near}"?`;
}
