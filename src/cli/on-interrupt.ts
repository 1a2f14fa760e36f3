// Ctrl-C (or SIGTERM) once and twice, told apart from one press that arrives twice.

// npm and a terminal may each send the signal of one key press; people are slower than this.
const SAME_PRESS_MS = 250;

export function onInterrupt(first: () => void, second: () => void, now: () => number = Date.now): () => void {
  let firstAt: number | null = null;
  const interrupted = () => {
    if (firstAt === null) {
      firstAt = now();
      first();
    } else if (now() - firstAt > SAME_PRESS_MS) second();
  };
  process.on('SIGINT', interrupted);
  process.on('SIGTERM', interrupted);
  return () => {
    process.off('SIGINT', interrupted);
    process.off('SIGTERM', interrupted);
  };
}
