// Colours, only where a person looks: on a terminal, and not where NO_COLOR asks for none.

export type Colour = 'red' | 'green' | 'yellow' | 'blue' | 'magenta' | 'cyan' | 'dim' | 'bold' | 'inverse';
export type Paint = (colour: Colour, text: string) => string;

const codes: Record<Colour, readonly [number, number]> = {
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  blue: [34, 39],
  magenta: [35, 39],
  cyan: [36, 39],
  dim: [2, 22],
  bold: [1, 22],
  inverse: [7, 27],
};

export const colourful: Paint = (colour, text) => `\u001b[${codes[colour][0]}m${text}\u001b[${codes[colour][1]}m`;
export const colourless: Paint = (_colour, text) => text;

export function choosePaint(isTerminal: boolean, env: NodeJS.ProcessEnv): Paint {
  const isWanted = isTerminal && !env.NO_COLOR && env.TERM !== 'dumb';
  return isWanted ? colourful : colourless;
}
