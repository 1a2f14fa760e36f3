// Colours, only where a person looks: on a terminal, and not where NO_COLOR asks for none. In all tones where the
// terminal says that it has them (COLORTERM), else in its own sixteen.

import { type Background, backgroundOf, type Hue, heatHue, heatTone, type Rgb, sixteen, trueTones } from './tones.ts';

export type Colour = Hue | 'dim' | 'bold' | 'inverse';
// From green over amber to red: how near something is to its limit (1), and what share the first and the last
// character of the text stand for. Sixteen colours show the level alone.
export type Heat = { level: number; from: number; to: number };
export type Tone = Colour | Heat;
export type Paint = (tone: Tone, text: string) => string;

const attributes = { dim: [2, 22], bold: [1, 22], inverse: [7, 27] } as const;
const STEPS = 12; // more shades than that nobody sees, and each costs bytes

export const colourless: Paint = (_tone, text) => text;
const sixteenPaints = { dark: sixteenPaint('dark'), light: sixteenPaint('light'), unknown: sixteenPaint('unknown') };
export const colourful: Paint = sixteenPaints.unknown;

export function choosePaint(isTerminal: boolean, env: NodeJS.ProcessEnv): Paint {
  if (!isTerminal || env.NO_COLOR || env.TERM === 'dumb') return colourless;
  const background = backgroundOf(env);
  return /^(truecolor|24bit)$/i.test(env.COLORTERM ?? '') ? truePaint(background) : sixteenPaints[background];
}

function sixteenPaint(background: Background): Paint {
  const codes = sixteen[background];
  return (tone, text) => {
    if (isAttribute(tone)) return attributed(tone, text);
    return `\u001b[${codes[typeof tone === 'string' ? tone : heatHue(tone.level)]}m${text}\u001b[39m`;
  };
}

function truePaint(background: Background): Paint {
  const tones = trueTones[background];
  const begin = ([red, green, blue]: Rgb) => `\u001b[38;2;${red};${green};${blue}m`;
  const shades = Array.from({ length: STEPS + 1 }, (_, step) => begin(heatTone(step / STEPS, tones)));
  return (tone, text) => {
    if (isAttribute(tone)) return attributed(tone, text);
    if (typeof tone === 'string') return `${begin(tones[tone])}${text}\u001b[39m`;
    const steps = heatSteps(tone, [...text].length);
    const cells = [...text].map((cell, at) => (steps[at] === steps[at - 1] ? cell : shades[steps[at]!] + cell));
    return `${cells.join('')}\u001b[39m`;
  };
}

const isAttribute = (tone: Tone): tone is keyof typeof attributes => typeof tone === 'string' && tone in attributes;
const attributed = (name: keyof typeof attributes, text: string): string =>
  `\u001b[${attributes[name][0]}m${text}\u001b[${attributes[name][1]}m`;

function heatSteps({ from, to }: Heat, count: number): number[] {
  return Array.from({ length: count }, (_, at) => {
    const share = count < 2 ? to : from + ((to - from) * at) / (count - 1);
    return Math.round(Math.min(1, Math.max(0, share)) * STEPS);
  });
}
