// The keys as the model names them.

import { type Key as InkKey, useInput, usePaste } from 'ink';

export function useKeys(press: (key: string) => void): void {
  useInput((input, key) => {
    const name = nameOf(input, key);
    if (name !== null) press(name);
  });
  usePaste(text => press(text));
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

export function nameOf(input: string, key: InkKey): string | null {
  const special = named.find(([flag]) => key[flag]);
  if (special !== undefined) return special[1];
  if (key.ctrl) return input === '' ? null : `ctrl-${input}`;
  return input === '' ? null : input;
}
