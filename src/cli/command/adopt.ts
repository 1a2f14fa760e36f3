// `baton adopt`: gives a Claude Code pane of the user's own tmux to the watchdog.

import { mkdir, realpath, rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { claudeConfigFolder, sessionOfPane } from '../../claude/session-register.ts';
import { plainText } from '../../files/plain-text.ts';
import { loadSettings } from '../../project/load-settings.ts';
import { settingTexts } from '../../protocol/config.ts';
import { exitCodes, Fault } from '../../protocol/fault.ts';
import type { AdoptedPane } from '../../protocol/handoff.ts';
import { readScreen } from '../../screen/read-screen.ts';
import { openPane } from '../../tmux/pane-door.ts';
import { tmuxSocket } from '../../tmux/runtime.ts';
import { changeAdopted, isSame, lacksWithoutHooks, settleHooks } from '../../watching/adopted-panes.ts';
import { askWatchdog } from '../../watching/ask-watchdog.ts';
import { introduceSession } from '../../watching/introduce-session.ts';
import { settingsFile } from '../../watching/project-hooks.ts';
import { startWatchdog } from '../../watching/start-watchdog.ts';
import { panePlaces } from '../../watching/watchdog-places.ts';
import type { CommandInput } from '../command-spec.ts';
import { confirm } from '../confirm.ts';
import { type ForeignPane, findForeignPane } from '../find-foreign-pane.ts';
import { readSettingFlags } from '../setting-options.ts';

// A running session was seen to take changed settings up after 1.1 s; a busy machine is slower.
const TAKEN_UP_MS = 6000;

export async function run(input: CommandInput): Promise<number> {
  const role = roleOf(input.text('role'));
  const found = await findForeignPane(input);
  const { identity } = found;
  await refuseOther(found);
  const folder = await realpath(found.folder);
  const flags = readSettingFlags(input);
  await loadSettings(folder, { env: process.env, flags }); // refused now rather than at its first handoff
  const settings = { ...settingTexts(process.env), ...flags };
  const has_hooks = !input.flag('no-hooks');
  const file = settingsFile(folder);
  if (has_hooks && !input.flag('yes')) {
    input.say(`To prove what happens in ${identity.pane}, Baton puts hooks and a status line into`);
    input.say(`  ${plainText(file)}`);
    input.say('Both are marked, and `baton release` takes them out again.');
    const cure = 'add --yes to agree, or --no-hooks to leave the file alone';
    if (!(await confirm(input, { question: 'change this file?', cure, nothing: 'nothing was changed' }))) {
      input.say('nothing was changed; --no-hooks adopts without touching the file');
      return exitCodes.success;
    }
  }
  const config_folder = claudeConfigFolder();
  const adopted_at = new Date().toISOString();
  const pane: AdoptedPane = { ...identity, folder, role, has_hooks, config_folder, adopted_at, settings };
  await adopt(pane);
  const isHeard = has_hooks ? await waitForSession(pane) : (await sessionBehind(pane)) !== null;
  if (process.env.BATON_WATCHDOG !== 'off') await startWatchdog();
  await askWatchdog({ do: 'rescan' });
  tell(input, pane, isHeard);
  return exitCodes.success;
}

async function adopt(pane: AdoptedPane): Promise<void> {
  const { folder } = panePlaces(pane.socket, pane.pane);
  await changeAdopted(async (panes, write) => {
    const before = panes.find(each => isSame(each, pane));
    const next = [...panes.filter(each => !isSame(each, pane)), pane];
    // The same number on a new server is another pane: what the old one reported is not its own.
    if (before?.pid !== pane.pid) await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true, mode: 0o700 });
    // The list first: hooks that belong to no listed pane would never be taken out.
    await write(next);
    try {
      if (before !== undefined && before.folder !== pane.folder) await settleHooks(next, before.folder);
      await settleHooks(next, pane.folder);
    } catch (error) {
      await write(panes);
      throw error;
    }
  });
}

async function refuseOther({ identity, command }: ForeignPane): Promise<void> {
  const { pane, socket } = identity;
  if (socket === tmuxSocket())
    throw new Fault('refused', `${pane} is on Baton's own tmux server`, 'the watchdog watches its agents already');
  const view = await openPane(identity).look();
  const { state } = view === null ? { state: 'exited' } : readScreen(view.text, view);
  // A pane without the focus draws no cursor, which reads as "unknown"; then its process has the word.
  const isClaude = state === 'unknown' ? command === 'claude' : state !== 'shell' && state !== 'exited';
  if (!isClaude)
    throw new Fault(
      'refused',
      `${pane} shows no Claude Code (state: ${state}, program: ${plainText(command)})`,
      `start claude there first; \`baton screen ${pane} --socket ${socket}\` tells what is read`,
    );
}

const sessionBehind = ({ pid, config_folder }: AdoptedPane) =>
  sessionOfPane({ config: config_folder ?? claudeConfigFolder(), panePid: pid, known: null });

// True when its status line has spoken: the running session took the settings up.
async function waitForSession({ socket, pane }: AdoptedPane): Promise<boolean> {
  for (const until = performance.now() + TAKEN_UP_MS; performance.now() < until; await sleep(100)) {
    if (await introduceSession(socket, pane)) return true;
  }
  return false;
}

function tell(input: CommandInput, { pane, folder, role, has_hooks }: AdoptedPane, isHeard: boolean): void {
  input.say(`${pane} is adopted as ${role}; project ${plainText(folder)}`);
  if (!has_hooks) {
    input.say('  it is read from its screen and its transcript; without hooks this is missing:');
    for (const lack of lacksWithoutHooks) input.say(`    ${lack}`);
    if (!isHeard)
      input.say(`  no session of it is found in ${plainText(claudeConfigFolder())}: nothing is typed there`);
  } else if (isHeard) input.say('  the running session has taken up the hooks');
  else input.say('  the running session does not report yet: the hooks count after its restart');
  input.say(`  to undo: baton release ${pane}`);
}

function roleOf(text: string | undefined): AdoptedPane['role'] {
  if (text === undefined || text === 'agent') return 'agent';
  if (text === 'orchestrator') return text;
  throw new Fault('invalid', `--role is "${text}"`, 'agent or orchestrator');
}
