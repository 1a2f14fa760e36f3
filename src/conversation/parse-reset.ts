// "resets 7pm (UTC)", "resets Nov 20, 3:30am (Europe/Berlin)", "resets in 2h 10m" → a moment. Pure: the
// present is given. null when it cannot be understood; then nobody guesses.
// A day without a zone is one of this machine's: Claude Code tells local time.

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const DAY_MS = 86_400_000;

const SPAN =
  /\bin\s+(?=\d)(?:(\d+)\s*d(?:ays?)?\b,?\s*)?(?:(\d+)\s*h(?:ours?|rs?)?\b,?\s*)?(?:(\d+)\s*m(?:in(?:ute)?s?)?\b)?/;

export function parseReset(words: string, now: number, here = localZone()): number | null {
  const text = words.toLowerCase();
  const span = SPAN.exec(text);
  if (span !== null && (span[1] ?? span[2] ?? span[3]) !== undefined)
    return now + Number(span[1] ?? 0) * DAY_MS + Number(span[2] ?? 0) * 3_600_000 + Number(span[3] ?? 0) * 60_000;
  const clock = /(?:\b([a-z]{3})[a-z]*\.?\s+(\d{1,2})(?:,|\s+at)?\s+)?\b(\d{1,2})(?::(\d{2}))?\s*(am|pm)?\b/.exec(
    text.replace(/\(.*?\)/g, ' '),
  );
  if (clock === null || (clock[4] === undefined && clock[5] === undefined)) return null;
  const zone = /\(([^)]+)\)/.exec(words)?.[1] ?? here;
  const hour = hourOf(Number(clock[3]), clock[5]);
  const month = clock[1] === undefined ? null : MONTHS.indexOf(clock[1]);
  if (hour === null || month === -1) return null;
  return next({ zone, hour, minute: Number(clock[4] ?? 0), month, day: Number(clock[2] ?? 0) }, now);
}

function hourOf(shown: number, half: string | undefined): number | null {
  if (half === undefined) return shown > 23 ? null : shown;
  return shown < 1 || shown > 12 ? null : (shown % 12) + (half === 'pm' ? 12 : 0);
}

const localZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

type Wanted = { zone: string; hour: number; minute: number; month: number | null; day: number };

// The next moment at which that zone's clock shows this, found by asking the clock, so that summer time needs no
// table of ours. With a date it may be just over: a year from now is surely not what was meant.
function next(wanted: Wanted, now: number): number | null {
  const show = clockOf(wanted.zone);
  if (show === null) return null;
  const [first, last] = wanted.month === null ? [0, 2] : [-2, 360];
  const earliest = wanted.month === null ? now : now - 2 * DAY_MS;
  const start = Math.ceil(now / 60_000) * 60_000;
  for (let day = first; day < last; day += 1) {
    for (const guess of aroundDay(start + day * DAY_MS, wanted, show)) {
      if (guess >= earliest) return guess;
    }
  }
  return null;
}

type Shown = { month: number; day: number; hour: number; minute: number };

function* aroundDay(base: number, wanted: Wanted, show: (at: number) => Shown): Generator<number> {
  const there = show(base);
  if (wanted.month !== null && (there.month !== wanted.month || there.day !== wanted.day)) return;
  const off = (wanted.hour - there.hour) * 3_600_000 + (wanted.minute - there.minute) * 60_000;
  for (const shift of [0, -3_600_000, 3_600_000]) {
    const guess = base + off + shift;
    const seen = show(guess);
    if (seen.hour === wanted.hour && seen.minute === wanted.minute) yield guess;
  }
}

function clockOf(zone: string): ((at: number) => Shown) | null {
  try {
    const format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
    });
    return at => {
      const part = (type: string) => Number(format.formatToParts(at).find(found => found.type === type)?.value);
      return { month: part('month') - 1, day: part('day'), hour: part('hour'), minute: part('minute') };
    };
  } catch {
    return null; // a zone this machine does not know
  }
}
