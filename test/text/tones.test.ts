// Every tone can be read on every background it is chosen for: the contrast is measured, as WCAG does.

import { expect, test } from 'vitest';
import { contextBar } from '../../src/dashboard/model/context-bar.ts';
import { type Colour, choosePaint } from '../../src/text/paint.ts';
import {
  type Background,
  backgroundOf,
  type Hue,
  heatTone,
  type Rgb,
  sixteen,
  toLight,
  trueTones,
} from '../../src/text/tones.ts';

const hues = ['red', 'green', 'yellow', 'blue', 'magenta', 'cyan'] as const satisfies Hue[];
const toRgb = (hex: string): Rgb => [0, 2, 4].map(at => Number.parseInt(hex.slice(at, at + 2), 16)) as unknown as Rgb;
const luminance = ([red, green, blue]: Rgb) => 0.2126 * toLight(red) + 0.7152 * toLight(green) + 0.0722 * toLight(blue);
function contrast(one: Rgb, other: Rgb): number {
  const [low, high] = [luminance(one), luminance(other)].toSorted((a, b) => a - b) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

// Backgrounds as terminals come with them, the pure ones first.
const dark = ['000000', '1e1e1e', '282c34', '002b36'].map(toRgb);
const light = ['ffffff', 'fdf6e3', 'eff1f5'].map(toRgb);
const backgrounds: Record<Background, Rgb[]> = { dark, light, unknown: [...dark, ...light] };

test.each([
  ['dark', 4.5],
  ['light', 4.5],
  ['unknown', 3],
] as const)(
  'in truecolor, every tone and shade for a background that is %s has a contrast of at least %f',
  (name, least) => {
    const tones = trueTones[name];
    const shades = Array.from({ length: 101 }, (_, percent) => heatTone(percent / 100, tones));
    for (const tone of [...Object.values(tones), ...shades])
      for (const background of backgrounds[name])
        expect(contrast(tone, background), `${tone} on ${background}`).toBeGreaterThanOrEqual(least);
  },
);

// The sixteen as terminals come with them: 30 to 37, then 90 to 97.
const palettes = {
  xterm:
    '000000 cd0000 00cd00 cdcd00 0000ee cd00cd 00cdcd e5e5e5 7f7f7f ff0000 00ff00 ffff00 5c5cff ff00ff 00ffff ffffff',
  vga: '000000 aa0000 00aa00 aa5500 0000aa aa00aa 00aaaa aaaaaa 555555 ff5555 55ff55 ffff55 5555ff ff55ff 55ffff ffffff',
  tango:
    '2e3436 cc0000 4e9a06 c4a000 3465a4 75507b 06989a d3d7cf 555753 ef2929 8ae234 fce94f 729fcf ad7fa8 34e2e2 eeeeec',
  campbell:
    '0c0c0c c50f1f 13a10e c19c00 0037da 881798 3a96dd cccccc 767676 e74856 16c60c f9f1a5 3b78ff b4009e 61d6d6 f2f2f2',
};

test.each(Object.entries(palettes))('the sixteen that are chosen can be read with the palette of %s', (_, palette) => {
  const colourOf = (code: number) => toRgb(palette.split(' ')[code < 90 ? code - 30 : code - 82]!);
  for (const hue of hues) {
    expect(contrast(colourOf(sixteen.dark[hue]), dark[0]!), `${hue} on black`).toBeGreaterThanOrEqual(3);
    // Green on white is what a terminal makes of it: there is no other of the sixteen that means "well".
    const least = hue === 'green' ? 2 : 3;
    expect(contrast(colourOf(sixteen.light[hue]), light[0]!), `${hue} on white`).toBeGreaterThanOrEqual(least);
  }
});

test('black, white and grey are never named: text has the colour the terminal gives it', () => {
  const named = Object.values(sixteen).flatMap(codes => Object.values(codes));
  expect(named.filter(code => [30, 37, 90, 97].includes(code))).toEqual([]);
});

test.each<[Record<string, string>, Background]>([
  [{}, 'unknown'],
  [{ COLORFGBG: '15;0' }, 'dark'],
  [{ COLORFGBG: '0;15' }, 'light'],
  [{ COLORFGBG: '0;default;15' }, 'light'],
  [{ COLORFGBG: '12;8' }, 'dark'],
  [{ COLORFGBG: '0;7' }, 'light'],
  [{ COLORFGBG: '0;default' }, 'unknown'],
  [{ COLORFGBG: '0;99' }, 'unknown'],
  [{ COLORFGBG: '15;0', BATON_THEME: 'light' }, 'light'],
  [{ COLORFGBG: '15;0', BATON_THEME: 'auto' }, 'dark'],
])('%j is a background that is %s', (env, background) => {
  expect(backgroundOf(env)).toBe(background);
});

const bar = (env: Record<string, string>, tokens: number) => {
  const paint = choosePaint(true, env);
  return contextBar({ tokens, threshold: 100_000, window: 200_000 }, 20)
    .map(part => paint(part.tone, part.text))
    .join('');
};
const shades = (text: string) => new Set(text.match(/\x1b\[38;2;[\d;]+m/g) ?? []).size;

test('where the terminal has all tones, a context bar goes from green over amber to red, within few shades', () => {
  expect(shades(bar({ COLORTERM: 'truecolor' }, 20_000))).toBeLessThan(shades(bar({ COLORTERM: '24bit' }, 110_000)));
  const full = bar({ COLORTERM: 'truecolor', BATON_THEME: 'dark' }, 110_000);
  const start = full.indexOf(`38;2;${heatTone(1 / 12, trueTones.dark).join(';')}m`);
  expect(start).toBeGreaterThanOrEqual(0);
  expect(full.indexOf(`38;2;${trueTones.dark.red.join(';')}m`)).toBeGreaterThan(start);
  expect(shades(full)).toBeLessThanOrEqual(13);
});

test('with sixteen colours the whole bar has the one of its level, and without colours none', () => {
  expect(bar({}, 80_000).match(/\x1b\[(?:3\d|9\d)m/g)).toEqual(['\x1b[33m', '\x1b[39m']);
  expect(bar({ BATON_THEME: 'light' }, 80_000)).toContain('\x1b[35m');
  expect(bar({ NO_COLOR: '1', COLORTERM: 'truecolor' }, 80_000)).not.toContain('\x1b');
  const colours: Colour[] = ['dim', 'bold', 'inverse', ...hues];
  for (const colour of colours) expect(choosePaint(true, { TERM: 'dumb' })(colour, 'x')).toBe('x');
});
