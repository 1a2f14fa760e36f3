// A page as Markdown: for the terminal, and for wherever Markdown is read. Every text of an agent is escaped. Pure.

import { markdown as text } from './escape.ts';
import type { Page, PageAgent } from './page.ts';
import {
  capital,
  costOf,
  dateText,
  handoffText,
  headlineOf,
  measured,
  nextSteps,
  spanOf,
  statusWords,
  timeOf,
  tokens,
} from './words.ts';

const MOST = 20; // files, commits: the whole list is in the report

export function markdownPage(page: Page): string {
  const head = headlineOf(page);
  return [
    `# ${text(page.id)}: ${head.status}`,
    '',
    `Started ${dateText(page.startedAt)}, ${page.endedAt === null ? 'running for' : 'took'} ${head.took}. Agents: ${head.counts || 'none'}. Cost: ${head.cost}.`,
    ...(page.note === null ? [] : ['', `Held back: ${text(page.note)}`]),
    ...list(
      'Next',
      nextSteps(page).map(step => `\`${step.replaceAll('`', '')}\``),
    ),
    '',
    '## Agents',
    '',
    '| Agent | State | Tries | Time | Context | Cost |',
    '|---|---|---:|---:|---:|---:|',
    ...page.agents.map(agent => rowOf(agent, page.now)),
    ...page.agents.flatMap(agent => agentPart(agent, page.now)),
    ...mergePart(page),
    ...list(
      'Errors',
      page.errors.map(each => `${text(each.agent ?? page.id)}: ${text(each.message)}`),
    ),
    ...list(
      'Warnings',
      page.warnings.map(each => `${text(each.agent ?? page.id)} (${each.severity}): ${text(each.message)}`),
    ),
    ...list(
      'Not known',
      page.unknowns.map(each => text(each)),
    ),
    '',
  ].join('\n');
}

const list = (title: string, items: readonly string[]): string[] =>
  items.length === 0 ? [] : ['', `## ${title}`, '', ...items.map(item => `- ${item}`)];

function rowOf(agent: PageAgent, now: number): string {
  const context = agent.isClaude === true ? tokens(agent.contextTokens) : '-';
  const cells = [
    text(agent.name),
    statusWords[agent.status],
    agent.attempts.length || '-',
    timeOf(agent, now),
    context,
    costOf(agent),
  ];
  return `| ${cells.join(' | ')} |`;
}

function agentPart(agent: PageAgent, now: number): string[] {
  const lines = [
    ...(agent.reason === null ? [] : [`Reason: ${text(agent.reason)}`]),
    ...(agent.summary === null ? [] : [`Summary: ${text(agent.summary)}`]),
    ...(agent.needs.length === 0 ? [] : [`Needs: ${agent.needs.map(need => text(need)).join(', ')}`]),
    ...agent.outputs.map(([slot, path]) => `Output ${text(slot)}: ${text(path)}`),
    ...agent.criteria.map(
      each =>
        `Criterion ${text(each.name)}: ${text(measured(each.met))}${each.wanted === null ? '' : `, wanted ${text(String(each.wanted))}`} (${each.evidence})`,
    ),
    ...(agent.attempts.length < 2
      ? []
      : agent.attempts.map(
          each =>
            `Attempt ${each.attempt}: ${each.status}, ${spanOf(each, now)}${each.reason === null ? '' : `: ${text(each.reason)}`}`,
        )),
    ...agent.handoffs.map(each => capital(handoffText(each))),
    ...some('Commits', agent.commits),
    ...some('Files changed', agent.files),
  ];
  return lines.length === 0 ? [] : ['', `### ${text(agent.name)}`, '', ...lines.map(line => `- ${line}`)];
}

function some(title: string, all: readonly string[]): string[] {
  if (all.length === 0) return [];
  const rest = all.length > MOST ? ` and ${all.length - MOST} more` : '';
  return [
    `${title}: ${all
      .slice(0, MOST)
      .map(each => text(each))
      .join(', ')}${rest}`,
  ];
}

function mergePart({ merge }: Page): string[] {
  if (merge === null) return ['', '## Merge', '', 'Not reached yet.'];
  const files = merge.merged_files.length;
  return [
    '',
    '## Merge',
    '',
    `${merge.status}${merge.reason === null ? '' : `: ${text(merge.reason)}`}. ${files} ${files === 1 ? 'path' : 'paths'} merged.`,
    '',
    ...merge.conflicts.map(
      each =>
        `- To decide ${text(each.conflict)}: ${text(each.path)} by ${each.agents.map(name => text(name)).join(', ')}`,
    ),
    ...merge.resolutions.map(
      each =>
        `- ${text(each.path)}: ${text(each.chosen)} taken by rule ${text(each.rule)}; kept: ${each.discarded.map(other => `${text(other.agent)} at ${text(other.kept_at)}`).join(', ') || 'nothing else'}`,
    ),
    ...merge.findings.map(each => `- ${each.severity}: ${text(each.message)}`),
  ];
}
