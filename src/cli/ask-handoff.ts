// `baton handoff <self|agent|pane>`: asks the watchdog for a handoff now, and tells what it answered.

import { agentInPane, isPaneId } from '../engine/find-pane.ts';
import { plainText } from '../files/plain-text.ts';
import { exitCodes, Fault } from '../protocol/fault.ts';
import { HandoffReason, handoffReasons } from '../protocol/handoff.ts';
import { tmuxSocket } from '../tmux/runtime.ts';
import { readAdopted } from '../watching/adopted-panes.ts';
import { askWatchdog } from '../watching/ask-watchdog.ts';
import { startWatchdog } from '../watching/start-watchdog.ts';
import type { CommandInput } from './command-spec.ts';
import { didYouMean } from './did-you-mean.ts';
import { namedPane } from './find-foreign-pane.ts';
import { findSession } from './find-session.ts';
import { jsonText } from './json-text.ts';

type Where = { socket: string; pane: string };

export async function askHandoff(input: CommandInput): Promise<number> {
  const reason = reasonOf(input.text('reason'));
  // Before anything is started for a name that means nothing.
  const where = await findMeant(input);
  await needWatchdog();
  const answer = await askWatchdog({ do: 'handoff', ...where, reason });
  if (answer === null) throw new Fault('failure', 'the watchdog has ended meanwhile', '`baton watchdog start`');
  if (input.flag('json')) input.say(jsonText({ ...where, ok: answer.ok, message: answer.message }));
  else if (answer.ok) input.say(`${where.pane}: ${plainText(answer.message)}`);
  if (!answer.ok && !input.flag('json'))
    throw new Fault('refused', plainText(answer.message), '`baton watchdog status` shows every pane it watches');
  return answer.ok ? exitCodes.success : exitCodes.refused;
}

async function needWatchdog(): Promise<void> {
  if (process.env.BATON_WATCHDOG !== 'off') await startWatchdog();
  else if ((await askWatchdog({ do: 'status' })) === null)
    throw new Fault('refused', 'no watchdog runs, and BATON_WATCHDOG is off', '`baton watchdog start`');
}

async function findMeant(input: CommandInput): Promise<Where> {
  const ref = input.args[0]!;
  if (ref === 'self') return ownPane(input);
  return isPaneId(ref) ? findByNumber(input, ref) : findByName(input, ref);
}

async function findByName(input: CommandInput, ref: string): Promise<Where> {
  try {
    const { socket, pane } = (await findSession(ref, input.text('execution'))).identity;
    return { socket, pane };
  } catch (error) {
    const hint = didYouMean(ref, ['show', 'self']);
    if (hint === null || !(error instanceof Fault) || error.code !== 'invalid') throw error;
    throw new Fault('invalid', `"baton handoff" does not know "${ref}"`, hint, { cause: error });
  }
}

async function findByNumber(input: CommandInput, pane: string): Promise<Where> {
  const adopted = (await readAdopted()).filter(each => each.pane === pane).map(({ socket }) => socket);
  const own = (await agentInPane(pane)) === null ? [] : [tmuxSocket()];
  const known = [...own, ...adopted];
  const { socket: here } = namedPane(input);
  const mustMatch = known.length > 1 || input.text('socket') !== undefined;
  const meant = mustMatch ? known.filter(socket => socket === here) : known;
  if (meant.length === 1) return { socket: meant[0]!, pane };
  const why = known.length > 1 ? `is watched on ${known.length} tmux servers` : 'is not watched';
  throw new Fault('invalid', `${pane} ${why}`, 'name its --socket; an own pane is given by `baton adopt` first');
}

// From inside the session: a pane of Baton's knows itself by BATON_PANE, an adopted one by what tmux gave it.
function ownPane(input: CommandInput): Where {
  const { BATON_PANE: own } = process.env;
  if (own !== undefined && isPaneId(own)) return { socket: tmuxSocket(), pane: own };
  const { pane, socket } = namedPane({ ...input, args: [] });
  if (socket === null) throw new Fault('invalid', 'this is not a pane of tmux', 'name the pane: baton handoff %7');
  return { socket, pane };
}

function reasonOf(text: string | undefined): HandoffReason {
  const reason = HandoffReason.safeParse(text ?? 'manual');
  if (reason.success) return reason.data;
  throw new Fault('invalid', `--reason is "${text}"`, `one of: ${handoffReasons.join(', ')}`);
}
