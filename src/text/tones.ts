// Which tone each colour is, for the background it stands on. Pure. test/text/tones.test.ts measures the contrasts.

export type Hue = 'red' | 'green' | 'yellow' | 'blue' | 'magenta' | 'cyan';
export type Rgb = readonly [number, number, number];
export type Background = 'dark' | 'light' | 'unknown';

// Calm on a dark and on a light background; where nobody knows it, of the one brightness that both show well.
export const trueTones: Record<Background, Record<Hue, Rgb>> = {
  dark: {
    red: [242, 119, 122],
    green: [139, 198, 111],
    yellow: [227, 185, 91],
    blue: [127, 178, 245],
    magenta: [207, 151, 230],
    cyan: [92, 192, 205],
  },
  light: {
    red: [179, 38, 30],
    green: [26, 122, 52],
    yellow: [138, 90, 0],
    blue: [29, 95, 196],
    magenta: [139, 58, 173],
    cyan: [10, 108, 124],
  },
  unknown: {
    red: [217, 69, 63],
    green: [43, 138, 62],
    yellow: [166, 108, 0],
    blue: [53, 120, 229],
    magenta: [168, 85, 200],
    cyan: [19, 133, 154],
  },
};

// Of the sixteen, dark red and dark blue cannot be read on black, yellow and cyan not on white.
const forDark: Record<Hue, number> = { red: 91, green: 32, yellow: 33, blue: 94, magenta: 95, cyan: 36 };
export const sixteen: Record<Background, Record<Hue, number>> = {
  dark: forDark,
  light: { red: 31, green: 32, yellow: 35, blue: 34, magenta: 35, cyan: 34 },
  unknown: { ...forDark, magenta: 35 },
};

const AMBER = 0.7;
export const heatHue = (share: number): Hue => (share >= 1 ? 'red' : share >= AMBER ? 'yellow' : 'green');

// Mixed as light is, so a mixture is never darker or brighter than both of its ends.
export function heatTone(share: number, tones: Record<Hue, Rgb>): Rgb {
  const at = Math.min(1, Math.max(0, share));
  if (at < AMBER) return mix(tones.green, tones.yellow, at / AMBER);
  return mix(tones.yellow, tones.red, (at - AMBER) / (1 - AMBER));
}

function mix(from: Rgb, to: Rgb, part: number): Rgb {
  const [red, green, blue] = from.map((value, at) =>
    toByte(toLight(value) * (1 - part) + toLight(to[at]!) * part),
  ) as unknown as Rgb;
  return [red, green, blue];
}

export function toLight(byte: number): number {
  const value = byte / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}

const toByte = (light: number): number =>
  Math.round(255 * (light <= 0.0031308 ? light * 12.92 : 1.055 * light ** (1 / 2.4) - 0.055));

// BATON_THEME first; else COLORFGBG ("15;0", "0;default;15"), which some terminals set: the last figure is the
// background. No terminal is asked: its answer could end up in the user's shell.
export function backgroundOf(env: Readonly<Record<string, string | undefined>>): Background {
  if (env.BATON_THEME === 'dark' || env.BATON_THEME === 'light') return env.BATON_THEME;
  const last = /^\d+;(?:[\w]+;)?(\d{1,2})$/.exec(env.COLORFGBG ?? '')?.[1];
  if (last === undefined || Number(last) > 15) return 'unknown';
  return Number(last) <= 6 || Number(last) === 8 ? 'dark' : 'light';
}
