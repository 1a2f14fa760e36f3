// `baton send`: a person's prompt to a Claude Code agent, with the receipt that it arrived, or why it did not.

import { text as readAll } from 'node:stream/consumers';
import type { Delivery } from '../../claude/deliver.ts';
import { openEar } from '../../claude/session-ear.ts';
import { isOwnProof, speak } from '../../claude/speak.ts';
import { plainText } from '../../files/plain-text.ts';
import { readRegular } from '../../files/read-file.ts';
import { exitCodes, Fault } from '../../protocol/fault.ts';
import { openPane } from '../../tmux/pane-door.ts';
import { ensureRuntimeFolder } from '../../tmux/runtime.ts';
import type { CommandInput } from '../command-spec.ts';
import { type FoundSession, findSession } from '../find-session.ts';
import { jsonText } from '../json-text.ts';
import { wholeNumber } from '../request-source.ts';

// Far above any prompt; Claude Code's own box was tried with 20 kB.
const MAX_BYTES = 1024 * 1024;

export async function run(input: CommandInput): Promise<number> {
  const text = await readText(input);
  const waitMs = (wholeNumber(input, 'wait') ?? 0) * 1000;
  const session = await findSession(input.args[0]!, input.text('execution'));
  const ear = await openEar({ receipts: session.places.receipts, now: Date.now });
  try {
    const o = { folder: ensureRuntimeFolder(), what: '`baton send`', waitMs, onPurpose: input.flag('slash') };
    return tell(input, session, text.trim(), await speak(openPane(session.identity), ear, text, o));
  } finally {
    ear.close();
  }
}

async function readText(input: CommandInput): Promise<string> {
  const [, words] = input.args;
  const file = input.text('file');
  if ((words === undefined) === (file === undefined))
    throw new Fault('invalid', 'one text, or one --file, is wanted', 'baton send <agent> "text", or --file prompt.md');
  if (words === '-' || file === '-') return readAll(process.stdin);
  if (words !== undefined) return words;
  try {
    return (await readRegular(file!, { follow: true, max: MAX_BYTES })).toString('utf8');
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new Fault('invalid', `${file} could not be read: ${why}`, 'name a text file, or - for stdin', { cause });
  }
}

function tell(input: CommandInput, { who, identity }: FoundSession, text: string, delivery: Delivery): number {
  const code = { submitted: 'success', refused: 'refused', failed: 'failure' } as const;
  const name = code[delivery.outcome];
  if (input.flag('json')) {
    input.say(jsonText({ agent: who, pane: identity.pane, ...delivery }));
    return exitCodes[name];
  }
  if (delivery.outcome !== 'submitted') {
    const words =
      delivery.outcome === 'refused'
        ? `nothing was sent to ${who}: ${delivery.why}`
        : `the prompt to ${who} has no receipt: ${delivery.why}`;
    throw new Fault(name, plainText(words), sendCure(delivery, who));
  }
  const { session_id, proof, enters, took_ms } = delivery;
  const proven = proof === 'receipt' ? 'its hook gave the text back' : 'its transcript has the text';
  if (isOwnProof(text)) input.say(`${text} was run by ${who}: its session showed it`);
  else input.say(`submitted to ${who}: ${proven}, and the turn began`);
  input.say(`  session ${session_id ?? 'unknown'}, ${enters === 1 ? '1 Enter' : '2 Enters'}, ${took_ms} ms`);
  return exitCodes.success;
}

export function sendCure(delivery: Exclude<Delivery, { outcome: 'submitted' }>, who: string): string {
  if (delivery.outcome === 'failed')
    return delivery.kind === 'context_limit'
      ? `\`baton send ${who} --slash /clear\` empties its context`
      : `look before you send it again: \`baton attach ${who} -r\``;
  switch (delivery.state) {
    case 'held':
      return `\`baton unhold ${who}\``;
    case 'text':
      return /begins with/.test(delivery.why) ? 'add --slash if that is what you want' : 'send a plain text';
    case 'busy':
    case 'retrying':
    case 'compacting':
    case 'starting':
      return 'wait for it: --wait 60';
    case 'permission':
    case 'question':
    case 'plan':
      return `it asks something: \`baton prompts\` shows what, \`baton answer ${who} <option>\` answers`;
    case 'draft':
      return `whoever wrote it sends or clears it: \`baton attach ${who}\``;
    case 'copy_mode':
      return 'whoever scrolls there leaves with "q"; or wait: --wait 60';
    default:
      return `\`baton attach ${who} -r\` shows its screen`;
  }
}
