// `baton diff`: what an agent changed, straight to stdout.

import { makeRedactor } from '../../files/redact.ts';
import { exitCodes, Fault } from '../../protocol/fault.ts';
import { agentChanges } from '../agent-changes.ts';
import { changeLines, summaryOf } from '../change-lines.ts';
import type { CommandInput } from '../command-spec.ts';
import { findAgent } from '../find-agent.ts';
import { jsonText } from '../json-text.ts';
import { wholeNumber } from '../request-source.ts';

export async function run(input: CommandInput): Promise<number> {
  const { execution, agent } = await findAgent(input.args[0]!, input.text('execution'));
  const attempt = wholeNumber(input, 'attempt') ?? agent.attempt;
  const who = `${execution.id}/${agent.agent_name}`;
  const places =
    attempt === 0 || attempt > agent.attempt
      ? null
      : await agentChanges(execution.workspace, agent.agent_name, { attempt, isLast: attempt === agent.attempt });
  if (places === null) {
    const what = agent.attempt === 0 ? 'has not started yet' : `has nothing kept of attempt ${attempt}`;
    throw new Fault(
      'invalid',
      `agent "${agent.agent_name}" of ${execution.id} ${what}`,
      '`baton status` shows how far it is',
    );
  }
  if (input.flag('json')) {
    const told = places.map(({ place, since, changes }) => ({ place, since, files: changes.map(summaryOf) }));
    input.say(jsonText({ agent: who, attempt, places: told }));
    return exitCodes.success;
  }
  const redactor = makeRedactor(process.env);
  if (places.length === 0) input.note(`${who} has no outputs and no repository`);
  for (const line of changeLines(places, input.out.paint)) input.say(redactor.text(line));
  return exitCodes.success;
}
