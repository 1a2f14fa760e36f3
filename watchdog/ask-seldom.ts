// The same question is not asked of git again at every look: each asking is two to five processes, and a handoff may
// wait for a day. Where an answer must be of this very moment, its age is 0.

export type Seldom<T> = (question: string, maxAgeMs: number, ask: () => Promise<T>) => Promise<T>;

export function askSeldom<T>(now: () => number = () => performance.now()): Seldom<T> {
  let known: { question: string; at: number; answer: T } | null = null;
  return async (question, maxAgeMs, ask) => {
    if (known !== null && known.question === question && now() - known.at < maxAgeMs) return known.answer;
    const at = now();
    const answer = await ask();
    known = { question, at, answer };
    return answer;
  };
}
