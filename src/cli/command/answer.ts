// `baton answer`: chooses an option of the question that an agent asks, and only of the one that was shown.

import { answerQuestion } from '../../claude/answer.ts';
import { withPane } from '../../claude/pane-lock.ts';
import { plainText } from '../../files/plain-text.ts';
import { exitCodes, Fault } from '../../protocol/fault.ts';
import type { Question } from '../../protocol/status.ts';
import { openPane } from '../../tmux/pane-door.ts';
import { ensureRuntimeFolder } from '../../tmux/runtime.ts';
import type { CommandInput } from '../command-spec.ts';
import { type FoundSession, findSession } from '../find-session.ts';
import { jsonText } from '../json-text.ts';
import { chooseOption } from '../prompt-lines.ts';

const LOCK_MS = 10_000;

export async function run(input: CommandInput): Promise<number> {
  const session = await findSession(input.args[0]!, input.text('execution'));
  const { who, identity } = session;
  const question = shownQuestion(session, input.text('question'));
  const option = chooseOption(question, input.args[1]!);
  const answered = await withPane(ensureRuntimeFolder(), identity, { what: '`baton answer`', waitMs: LOCK_MS }, () =>
    answerQuestion(openPane(identity), question.digest, option.number),
  );
  if (input.flag('json')) input.say(jsonText({ agent: who, pane: identity.pane, ...answered }));
  if (answered.outcome === 'answered') {
    if (!input.flag('json')) {
      const asked = plainText(question.title.split('\n').at(-1)!, { max: 100 });
      input.say(`answered ${who}: ${answered.option.number}. ${plainText(answered.option.label)}  (${asked})`);
    }
    return exitCodes.success;
  }
  const code = answered.outcome === 'refused' ? 'refused' : 'failure';
  if (input.flag('json')) return exitCodes[code];
  const words = answered.outcome === 'refused' ? `nothing was sent to ${who}` : `no answer was seen to reach ${who}`;
  throw new Fault(code, plainText(`${words}: ${answered.why}`), answerCure(answered, who));
}

function answerCure({ outcome, why }: { outcome: 'refused' | 'failed'; why: string }, who: string): string {
  if (/holds it$/.test(why)) return `\`baton unhold ${who}\``;
  if (/by hand$/.test(why)) return `\`baton hold ${who}\`, \`baton attach ${who}\`, then \`baton unhold ${who}\``;
  return outcome === 'refused'
    ? '`baton prompts` shows what is asked now'
    : `\`baton attach ${who}\` lets you answer by hand`;
}

function shownQuestion({ agent, who }: FoundSession, digest: string | undefined): Question {
  const question = agent.claude?.question ?? null;
  if (question === null) throw new Fault('refused', `${who} asks nothing`, '`baton prompts` shows who does');
  if (digest !== undefined && (digest.length < 4 || !question.digest.startsWith(digest)))
    throw new Fault(
      'refused',
      `${who} asks something else now: ${plainText(question.title.split('\n').at(-1)!, { max: 100 })}`,
      '`baton prompts` shows it with its options',
    );
  return question;
}
