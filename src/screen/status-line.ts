// The context figures in a status line, ours or one of the common kinds. Exact or unknown: a number counts
// only when its label is in front of it and something behind it proves that no digit was cut off.

import type { ScreenContext } from '../protocol/screen.ts';

type Figures = Pick<ScreenContext, 'tokens' | 'percent' | 'window' | 'is_new' | 'session'>;

const NOTHING: Figures = { tokens: null, percent: null, window: null, is_new: false, session: null };
// Between the parts of a line: bars, bullets, powerline arrows, and the gap before notices at the right edge.
const SEPARATOR = /\s*[|│┃❘·•‧∙›»\ue0b0-\ue0b3]\s*|\s{3,}/u;
const AMOUNT = String.raw`(?:\d{1,3}(?:[.,'’_]\d{3})+(?![\d.,kKmM])|\d+(?:[.,]\d{1,2})?[kKmM](?![\w.,])|\d+(?![\d.,'’_kKmM%]))`;
const PERCENT = String.raw`(?:\d{1,3}(?:[.,]\d{1,2})?) ?%`;
const ICON = String.raw`(?:[^\p{L}\p{N}\s([<-]+ ?)?`;
const LABEL = '(?:(?:context|ctx)(?: (?:window|used|usage|size))?|🧠)';
const TOKENS = '(?:tokens?|tok)';
const BAR = String.raw`(?:\[?[█▓▒░▏▎▍▌▋▊▉■□▪▫●○◉◯⣿⣀=#.\->]{3,}\]? ?)?`;

const FORMS: readonly RegExp[] = [
  // context: 45.2k tokens (23%) sid=8042eb38 · Ctx: 45.2k · ctx 45.2k/200k (23%) · 🧠 45,213 (23%)
  new RegExp(
    `^${ICON}${LABEL}\\s?[:=]?\\s?(?<tokens>${AMOUNT})(?: ?(?:/|of) ?(?<window>${AMOUNT}))?(?<unit> ${TOKENS})?(?:(?:,? | ?[([] ?)(?<percent>${PERCENT})(?: used)?[)\\]]?)?(?: sid=(?<session>[0-9a-f-]{4,36}))?$`,
    'iu',
  ),
  // Ctx: 23% · context ▓▓▓░░ 23% used
  new RegExp(`^${ICON}${LABEL}\\s?[:=]?\\s?${BAR}(?<percent>${PERCENT})(?: used)?$`, 'iu'),
  // 23% context used
  new RegExp(`^${ICON}(?<percent>${PERCENT}) (?:of )?(?:context|ctx)(?: used)?$`, 'iu'),
];
const NEW = /^context: new(?: sid=(?<session>[0-9a-f-]{4,36}))?$/;
const OWN = /^context: /;

export function readStatusLine(row: string): ScreenContext | null {
  const text = row.trim();
  const { parts, isCut } = partsOf(text);
  const readings = parts.flatMap((part, index) => {
    const isLast = index === parts.length - 1;
    return readPart(part, isLast && !isCut, isLast && isCut) ?? [];
  });
  const merged = merge(readings);
  return merged === null ? null : { ...merged, text };
}

// Our own line counts first; others must agree with one another.
export function readStatusRows(rows: readonly string[]): ScreenContext | null {
  const readings = rows.flatMap(row => readStatusLine(row) ?? []);
  const own = readings.filter(reading => OWN.test(reading.text));
  const [first, ...more] = own.length > 0 ? own : readings;
  if (first === undefined) return null;
  const merged = merge([first, ...more]);
  return merged === null ? null : { ...merged, text: first.text };
}

// A line that did not fit ends in an ellipsis; its last word may be half a number.
function partsOf(text: string): { parts: string[]; isCut: boolean } {
  const isCut = text.includes('…');
  const whole = isCut ? text.slice(0, text.indexOf('…')).replace(/\S*$/, '') : text;
  return { parts: whole.trim().split(SEPARATOR), isCut };
}

function readPart(part: string, isEnd: boolean, isCut: boolean): Figures | null {
  const fresh = isCut ? null : NEW.exec(part);
  if (fresh) return { ...NOTHING, is_new: true, session: fresh.groups?.session ?? null };
  for (const form of FORMS) {
    const found = form.exec(part)?.groups;
    if (found === undefined) continue;
    const { tokens, window, percent, session, unit } = found;
    // Digits at the very end of a line may have lost their last ones, or a "k".
    const isOpen = (isEnd || isCut) && unit === undefined && percent === undefined && session === undefined;
    if (isOpen && /\d$/.test(part)) return null;
    // A small bare number could as well be a percentage.
    if (tokens !== undefined && unit === undefined && window === undefined && /^\d{1,3}$/.test(tokens)) return null;
    if (isCut && window !== undefined && unit === undefined && percent === undefined) return null;
    return {
      tokens: tokens === undefined ? null : amountOf(tokens),
      window: window === undefined ? null : amountOf(window) || null,
      percent: percent === undefined ? null : Number(percent.replace(',', '.').replace(/ ?%/, '')),
      is_new: false,
      session: session ?? null,
    };
  }
  return null;
}

function amountOf(text: string): number | null {
  const unit = /[kKmM]$/.exec(text)?.[0].toLowerCase();
  if (unit === undefined) return Number(text.replace(/[.,'’_]/g, ''));
  const value = Number(text.slice(0, -1).replace(',', '.'));
  return Math.round(value * (unit === 'k' ? 1000 : 1_000_000));
}

// Two parts may complete one another (Ctx: 45.2k | Ctx: 23.0%); where they contradict, nothing is known.
function merge(readings: readonly Figures[]): Figures | null {
  if (readings.length === 0) return null;
  const result = { ...NOTHING };
  for (const key of ['tokens', 'percent', 'window', 'session'] as const) {
    const values = new Set(readings.map(reading => reading[key]).filter(value => value !== null));
    if (values.size > 1) return null;
    const [value] = values;
    if (value !== undefined) Object.assign(result, { [key]: value });
  }
  result.is_new = readings.some(reading => reading.is_new);
  return result.is_new && result.tokens !== null ? null : result;
}
