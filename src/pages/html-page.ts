// A page as one HTML file that needs nothing else: pictures are inline SVG, nothing is fetched, no script runs (the
// policy in its head forbids both, and allows this one style by its hash). Every text is escaped. Pure.

import { createHash } from 'node:crypto';
import { html as text } from './escape.ts';
import { style } from './html-style.ts';
import type { Page, PageAgent } from './page.ts';
import { contextSvg } from './svg-context.ts';
import { graphSvg } from './svg-graph.ts';
import { timelineSvg } from './svg-timeline.ts';
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

const MOST = 50;

export function htmlPage(page: Page): string {
  const head = headlineOf(page);
  const hash = createHash('sha256').update(style).digest('base64');
  const curves = page.agents.flatMap(agent => {
    const picture = contextSvg(agent, page);
    return picture === null
      ? []
      : [`<figure><figcaption>${text(agent.name, 60)}${limitOf(agent)}</figcaption>${picture}</figure>`];
  });
  return [
    '<!doctype html>',
    '<html lang="en"><head><meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'">`,
    '<meta name="referrer" content="no-referrer"><meta name="viewport" content="width=device-width,initial-scale=1">',
    `<title>${text(page.id, 100)}: ${head.status}</title>`,
    `<style>${style}</style></head><body><main>`,
    `<h1>${text(page.id)} <span class="state ${page.status}">${head.status}</span></h1>`,
    `<p class="dim">Started ${dateText(page.startedAt)}${page.endedAt === null ? `; as it stood at ${dateText(page.now)}` : `, ended ${dateText(page.endedAt)}`}</p>`,
    facts([
      [page.endedAt === null ? 'Running for' : 'Took', head.took],
      ['Agents', head.counts || 'none'],
      ['Cost', head.cost],
      ['Merge', page.merge?.status ?? 'not reached'],
    ]),
    ...(page.note === null ? [] : [`<p><b>Held back:</b> ${text(page.note)}</p>`]),
    section('Next', list(nextSteps(page).map(step => `<code>${text(step)}</code>`))),
    section(
      'Timeline',
      `<div class="wide">${timelineSvg(page)}</div><p class="key">One bar is one attempt; a diamond is a handoff.</p>`,
    ),
    section('Dependencies', `<div class="wide">${graphSvg(page)}</div>`),
    section(
      'Context',
      curves.length === 0
        ? ''
        : `<div class="pair">${curves.join('\n')}</div><p class="key">Tokens over the time of the execution; a new line is a new session, a diamond a handoff; the dashed line is where one fires. That is by the settings as they are now.</p>`,
    ),
    section('Agents', agentsTable(page) + page.agents.map(agent => card(agent, page.now)).join('\n')),
    section('Merge', mergePart(page)),
    section('Errors', list(page.errors.map(each => `<b>${text(each.agent ?? page.id)}</b>: ${text(each.message)}`))),
    section(
      'Warnings',
      list(
        page.warnings.map(
          each => `<b>${text(each.agent ?? page.id)}</b> (${text(each.severity)}): ${text(each.message)}`,
        ),
      ),
    ),
    section('Not known', list(page.unknowns.map(each => text(each)))),
    '</main></body></html>',
    '',
  ].join('\n');
}

const limitOf = ({ threshold }: PageAgent): string => (threshold === null ? '' : `, handoff at ${tokens(threshold)}`);
const section = (title: string, body: string): string =>
  body === '' ? '' : `<section><h2>${title}</h2>\n${body}</section>`;
const list = (items: readonly string[]): string =>
  items.length === 0 ? '' : `<ul>${items.map(item => `<li>${item}</li>`).join('')}</ul>`;
const facts = (rows: readonly (readonly [string, string])[]): string =>
  `<dl class="facts">${rows.map(([name, value]) => `<div><dt>${name}</dt><dd>${text(value)}</dd></div>`).join('')}</dl>`;

function agentsTable({ agents, now }: Page): string {
  const rows = agents.map(agent => {
    const context = agent.isClaude === true ? tokens(agent.contextTokens) : '-';
    const figures = [String(agent.attempts.length || '-'), timeOf(agent, now), context, costOf(agent)];
    return `<tr><td>${text(agent.name)}</td><td><span class="state ${agent.status}">${statusWords[agent.status]}</span></td>${figures.map(each => `<td class="n">${each}</td>`).join('')}</tr>`;
  });
  const heads = ['Tries', 'Time', 'Context', 'Cost'].map(each => `<th class="n">${each}</th>`).join('');
  return `<div class="wide"><table><thead><tr><th>Agent</th><th>State</th>${heads}</tr></thead><tbody>${rows.join('\n')}</tbody></table></div>`;
}

function card(agent: PageAgent, now: number): string {
  const items = [
    ...(agent.reason === null ? [] : [`<b>Reason:</b> ${text(agent.reason)}`]),
    ...(agent.summary === null ? [] : [`<b>Summary:</b> ${text(agent.summary)}`]),
    ...agent.outputs.map(([slot, path]) => `Output ${text(slot)}: <code>${text(path)}</code>`),
    ...agent.criteria.map(
      each =>
        `Criterion ${text(each.name)}: ${text(measured(each.met))}${each.wanted === null ? '' : `, wanted ${text(String(each.wanted))}`} <span class="dim">(${each.evidence})</span>`,
    ),
    ...(agent.attempts.length < 2
      ? []
      : agent.attempts.map(
          each =>
            `Attempt ${each.attempt}: <span class="state ${each.status}">${each.status}</span>, ${spanOf(each, now)}${each.reason === null ? '' : `: ${text(each.reason)}`}`,
        )),
    ...agent.handoffs.map(each => text(capital(handoffText(each)))),
    ...some('Commits', agent.commits),
    ...some('Files changed', agent.files),
  ];
  const task = agent.task === null ? '' : `<p class="dim">${text(agent.task, 600)}</p>`;
  return `<div class="card"><h3>${text(agent.name)} <span class="state ${agent.status}">${statusWords[agent.status]}</span></h3>${task}${list(items)}</div>`;
}

function some(title: string, all: readonly string[]): string[] {
  if (all.length === 0) return [];
  const rest = all.length > MOST ? ` and ${all.length - MOST} more` : '';
  return [
    `${title}: ${all
      .slice(0, MOST)
      .map(each => `<code>${text(each)}</code>`)
      .join(' ')}${rest}`,
  ];
}

function mergePart({ merge }: Page): string {
  if (merge === null) return '<p>Not reached yet.</p>';
  const files = merge.merged_files.length;
  return [
    `<p><b>${merge.status}</b>${merge.reason === null ? '' : `: ${text(merge.reason)}`}; ${files} ${files === 1 ? 'path' : 'paths'} merged.</p>`,
    list([
      ...merge.conflicts.map(
        each => `To decide <code>${text(each.conflict)}</code>: ${text(each.path)} by ${text(each.agents.join(', '))}`,
      ),
      ...merge.resolutions.map(
        each =>
          `${text(each.path)}: ${text(each.chosen)} taken by rule ${text(each.rule)}; kept: ${each.discarded.map(other => `${text(other.agent)} at <code>${text(other.kept_at)}</code>`).join(', ') || 'nothing else'}`,
      ),
      ...merge.findings.map(each => `${each.severity}: ${text(each.message)}`),
    ]),
  ].join('');
}
