// The keys as the model names them.

import { type Key as InkKey, useInput, usePaste } from 'ink';
import type { Key } from '../model/keys.ts';

export function useKeys(press: (key: Key) => void): void {
  useInput((input, key) => {
    for (const name of namesOf(input, key)) press(name);
  });
  usePaste(text => press({ paste: text }));
}

const named = [
  ['upArrow', 'up'],
  ['downArrow', 'down'],
  ['leftArrow', 'left'],
  ['rightArrow', 'right'],
  ['pageUp', 'pageup'],
  ['pageDown', 'pagedown'],
  ['home', 'home'],
  ['end', 'end'],
  ['return', 'enter'],
  ['escape', 'escape'],
  ['tab', 'tab'],
  ['backspace', 'backspace'],
  ['delete', 'delete'],
] as const satisfies readonly (readonly [keyof InkKey, string])[];

// Keys that came faster than they were read are one text; a paste is told apart by the terminal.
export function namesOf(input: string, key: InkKey): string[] {
  const special = named.find(([flag]) => key[flag]);
  if (special !== undefined) return [special[1]];
  if (key.ctrl) return input === '' ? [] : [`ctrl-${input}`];
  return [...input].map(char => controls[char] ?? (char < ' ' ? `ctrl-${controlLetter(char)}` : char));
}

const controls: Record<string, string> = {
  '\r': 'enter',
  '\n': 'enter',
  '\t': 'tab',
  '\u007f': 'backspace',
  '\b': 'backspace',
};
const controlLetter = (char: string): string => String.fromCharCode(char.charCodeAt(0) + 96);
