// Many changes, one call: at once when nothing was told lately, else as soon as the pause is over.

// Ink writes a frame of 200x50 in about 20 ms; five a second leave a core nearly free and are far below the
// 300 ms within which a change is to be seen.
const PAUSE_MS = 200;

export type Coalesced = { (): void; cancel(): void };

export function coalesce(call: () => void, pauseMs = PAUSE_MS): Coalesced {
  let timer: NodeJS.Timeout | null = null;
  let last = Number.NEGATIVE_INFINITY;
  const run = () => {
    timer = null;
    last = performance.now();
    call();
  };
  const ring = () => {
    if (timer !== null) return;
    const wait = last + pauseMs - performance.now();
    // Never within the caller: what changes together comes together.
    timer = setTimeout(run, Math.max(1, wait));
  };
  ring.cancel = () => {
    if (timer !== null) clearTimeout(timer);
  };
  return ring;
}
