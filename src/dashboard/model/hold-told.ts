// What the last hold or release was told to do. The status says it a moment later; until then a second `H` means the
// opposite of what was told, not of what the status still says. Pure.

import type { Row } from './agent-row.ts';
import type { Message, Ui } from './ui.ts';

export type HoldTold = {
  key: string; // of the row
  isHeld: boolean; // what was told
  before: string | null; // who held it then, by its status
  isDone: boolean;
};

export const toldOf = ({ told }: Ui, row: Row): HoldTold | null => (told?.key === row.key ? told : null);

export const tellHold = (ui: Ui, row: Row, isHeld: boolean): Ui => ({
  ...ui,
  told: { key: row.key, isHeld, before: row.heldBy, isDone: false },
});

// A command has ended with these words.
export function commandEnded(ui: Ui, { argv }: { argv: readonly string[] }, message: Message): Ui {
  const isHold = argv[0] === 'hold' || argv[0] === 'unhold';
  if (!isHold || ui.told === null) return { ...ui, message };
  return { ...ui, message, told: message.kind === 'bad' ? null : { ...ui.told, isDone: true } };
}

// The status has caught up: from now on it is believed.
export function forgetHold(ui: Ui, all: readonly Row[]): Ui {
  const { told } = ui;
  if (told === null) return ui;
  const row = all.find(({ key }) => key === told.key);
  return row?.heldBy === told.before ? ui : { ...ui, told: null };
}
