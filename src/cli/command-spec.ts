// The shape of one command: what the table in commands.ts says about it, and what it is given to run.

import type { Paint } from '../text/paint.ts';

export type Words = 'execution' | 'agent' | 'file' | 'folder' | readonly string[];

export type OptionSpec = {
  summary: string;
  short?: string;
  value?: string; // name of the value in help; without one, the option is a switch
  multiple?: boolean;
  words?: Words; // what completion offers for the value
};

export type PositionalSpec = { name: string; optional?: boolean; words: Words };

export type CommandSpec = {
  name: string;
  summary: string;
  positionals: readonly PositionalSpec[];
  options: Readonly<Record<string, OptionSpec>>;
  details: string;
  examples: readonly string[];
  hidden?: boolean;
  load: () => Promise<{ run: (input: CommandInput) => Promise<number> }>;
};

export type Screen = {
  stream: NodeJS.WriteStream;
  isTerminal: boolean;
  width: () => number;
  height: () => number;
  paint: Paint;
};

// Everything a command may touch of the process it runs in.
export type CommandInput = {
  args: readonly string[];
  flag: (name: string) => boolean;
  text: (name: string) => string | undefined;
  texts: (name: string) => string[];
  say: (line: string) => void; // a line on stdout
  note: (line: string) => void; // a line on stderr
  out: Screen;
  err: Screen;
  leave: (code: number) => never; // ends the process at once, whatever is still under way
};
