// A plan as lines: the graph, the waves, what each agent reads and makes, the merge, the problems. Pure.

import { plainText } from '../files/plain-text.ts';
import type { Plan, PlanAgent } from '../pages/plan.ts';
import { lookOf } from '../text/agent-state.ts';
import { cellWidth, fitCells, padCells } from '../text/cell-width.ts';
import type { Paint } from '../text/paint.ts';
import { counted, spanText } from '../text/span-text.ts';
import { wrapText } from './wrap-text.ts';

const MOST_NAME = 30;
const MOST_TEXT = 300;

export function planLines(plan: Plan, width: number, paint: Paint): string[] {
  const many = (text: string) => wrapText(text, width);
  const refused = plan.problems.length;
  return [
    paint(
      'bold',
      fitCells(
        `${safe(plan.execution_id) || 'this request'}: ${counted(plan.agents.length, 'agent')}, ${counted(plan.waves.length, 'wave')}`,
        width,
      ),
    ),
    ...(refused === 0 ? [] : [paint('red', `would be refused: ${counted(refused, 'problem')}, see below`)]),
    '',
    ...graphLines(plan, width, paint),
    '',
    ...plan.waves.flatMap((names, at) =>
      many(
        `wave ${at + 1}: ${names.map(safe).join(', ')}${plan.is_partial ? '' : crowd(names.length, plan.parallel_limit)}`,
      ),
    ),
    ...(plan.never.length === 0 ? [] : many(paint('red', `never: ${plan.never.map(safe).join(', ')} (a circle)`))),
    '',
    ...(plan.is_partial
      ? many('Its form is wrong: this is what can be read of it. Limits and merge are told once it is cured.')
      : ruleLines(plan, many)),
    '',
    ...plan.agents.flatMap(agent => agentLines(agent).flatMap(line => many(line))),
    '',
    ...(plan.is_partial ? [] : mergeLines(plan, many)),
    ...(refused === 0 ? [] : ['', paint('red', 'Would be refused:')]),
    ...plan.problems.flatMap(({ path, message, cure }) => [
      ...many(`- ${path === '' ? '' : `${safe(path)}: `}${safe(message)}`),
      ...many(`  cure: ${safe(cure)}`),
    ]),
  ];
}

type Many = (text: string) => string[];
const safe = (text: string) => plainText(text, { max: MOST_TEXT });

function ruleLines(plan: Plan, many: Many): string[] {
  return [
    ...many(
      `An agent starts as soon as all it needs succeeded; at most ${plan.parallel_limit} at once (parallel_limit), here ${plan.most_at_once} in one wave.`,
    ),
    ...many(
      `Each has up to ${counted(plan.attempts, 'attempt')}; a timeout is not tried again. When one fails for good, all behind it are skipped.`,
    ),
    ...many(
      `Longest chain: ${plan.longest_chain.agents.map(safe).join(' > ')}, at most ${spanText(plan.longest_chain.seconds * 1000)} at one attempt each${plan.total_timeout === null ? '' : `; all of it at most ${spanText(plan.total_timeout * 1000)}`}.`,
    ),
  ];
}

function mergeLines(plan: Plan, many: Many): string[] {
  return [
    ...many(`Merge: ${plan.merge.type}, ${plan.merge.conflict_resolution} where outputs disagree.`),
    ...plan.merge.meetings.flatMap(({ name, agents }) =>
      many(`- "${safe(name)}" of ${agents.map(safe).join(', ')} come together`),
    ),
  ];
}

const crowd = (count: number, limit: number) => (count > limit ? ` (${limit} of ${count} at a time)` : '');

function graphLines({ agents }: Plan, width: number, paint: Paint): string[] {
  const most = Math.max(0, ...agents.map(({ picture }) => cellWidth(picture)));
  const picture = Math.max(1, Math.min(most, width - 12));
  const name = Math.min(MOST_NAME, Math.max(0, ...agents.map(agent => cellWidth(plainText(agent.name)))));
  return agents.map(agent => {
    const look = agent.status === null ? null : lookOf[agent.status];
    const head = `${padCells(agent.picture, picture)}  ${padCells(plainText(agent.name), name)}`;
    const line = fitCells(`${head}${look === null ? '' : `  ${look.sign} ${look.word}`}`.trimEnd(), width);
    return look === null ? line : paint(look.colour, line);
  });
}

function agentLines(agent: PlanAgent): string[] {
  return [
    `${safe(agent.name)}${agent.needs.length === 0 ? '' : `, after ${agent.needs.map(safe).join(', ')}`}:`,
    ...agent.inputs.map(
      input =>
        `  - reads ${safe(input.name)}: ${safe(input.path)}${input.from === null ? '' : ` (made by ${safe(input.from.agent)})`}`,
    ),
    ...agent.outputs.map(output => `  - makes ${safe(output.name)}: ${safe(output.path)}`),
  ];
}
