// `baton release`: takes an adopted pane back, and everything out of its project that adoption put there.

import { rm } from 'node:fs/promises';
import { plainText } from '../../files/plain-text.ts';
import { exitCodes, Fault } from '../../protocol/fault.ts';
import type { AdoptedPane } from '../../protocol/handoff.ts';
import { changeAdopted, isSame, readAdopted, settleHooks } from '../../watching/adopted-panes.ts';
import { askWatchdog } from '../../watching/ask-watchdog.ts';
import { settingsFile, type TakenOut } from '../../watching/project-hooks.ts';
import { panePlaces } from '../../watching/watchdog-places.ts';
import type { CommandInput } from '../command-spec.ts';
import { namedPane } from '../find-foreign-pane.ts';

const words: Record<TakenOut | 'put', string> = {
  restored: 'is as it was before',
  changed: 'was changed since; only what is of Baton was taken out',
  nothing: 'has nothing of Baton in it',
  put: 'keeps the hooks of other adopted panes',
};

export async function run(input: CommandInput): Promise<number> {
  const pane = choose(await readAdopted(), namedPane(input));
  await refuseBusy(pane);
  await changeAdopted(async (panes, write) => write(panes.filter(each => !isSame(each, pane))));
  // Before its files go: whatever follows the pane lets go of it.
  await askWatchdog({ do: 'rescan' });
  const deed = await changeAdopted(panes => settleHooks(panes, pane.folder));
  await rm(panePlaces(pane.socket, pane.pane).folder, { recursive: true, force: true });
  input.say(`${pane.pane} is released: Baton types nothing there any more`);
  input.say(`  ${plainText(settingsFile(pane.folder))} ${words[deed]}`);
  return exitCodes.success;
}

function choose(panes: AdoptedPane[], { pane, socket }: { pane: string; socket: string | null }): AdoptedPane {
  const same = panes.filter(each => each.pane === pane);
  const here = same.filter(each => each.socket === socket);
  const meant = here.length > 0 ? here : same;
  if (meant.length === 1) return meant[0]!;
  const list = panes.map(each => `${each.pane} of ${each.socket}`).join(', ') || 'none';
  throw new Fault(
    'invalid',
    meant.length === 0 ? `${pane} is not adopted` : `${pane} is adopted on ${meant.length} servers`,
    `adopted: ${list}`,
  );
}

// Between its commit and its resume a session would be left alone in the middle.
async function refuseBusy(pane: AdoptedPane): Promise<void> {
  const panes = (await askWatchdog({ do: 'status' }))?.status?.panes ?? [];
  const handoff = panes.find(each => isSame(pane, each))?.handoff ?? null;
  if (handoff === null) return;
  throw new Fault(
    'refused',
    `${pane.pane} is in the middle of handoff ${handoff.id} (${handoff.state})`,
    'wait for its end: `baton watchdog status`',
  );
}
