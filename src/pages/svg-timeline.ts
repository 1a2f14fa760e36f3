// The attempts of all agents over time, as an SVG: one row an agent, one bar an attempt. Pure.

import { html } from './escape.ts';
import type { Page, PageAgent } from './page.ts';
import { handoffText, spanOf } from './words.ts';

const WIDTH = 960;
const LEFT = 170;
const RIGHT = 20;
const ROW = 26;
const TOP = 26;

export function timelineSvg(page: Page): string {
  const [from, to] = [page.startedAt, Math.max(page.endedAt ?? page.now, page.startedAt + 1000)];
  const x = (at: number) => LEFT + ((Math.min(Math.max(at, from), to) - from) / (to - from)) * (WIDTH - LEFT - RIGHT);
  const height = TOP + page.agents.length * ROW + 8;
  return [
    `<svg class="time" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="Timeline of attempts">`,
    ...ticks(from, to).map(
      at =>
        `<line class="grid" x1="${n(x(at))}" x2="${n(x(at))}" y1="${TOP - 6}" y2="${height - 6}"/><text class="tick" x="${n(x(at))}" y="14" text-anchor="middle">${tickText(at - from)}</text>`,
    ),
    ...page.agents.flatMap((agent, row) => rowParts(agent, TOP + row * ROW, x, page.now)),
    '</svg>',
  ].join('\n');
}

function rowParts(agent: PageAgent, y: number, x: (at: number) => number, now: number): string[] {
  const bars = agent.attempts.map(each => {
    const [left, right] = [x(each.from), x(each.to ?? now)];
    const told = `${agent.name}, attempt ${each.attempt}: ${each.status}, ${spanOf(each, now)}${each.reason === null ? '' : `: ${each.reason}`}`;
    return `<rect class="bar ${each.status}" x="${n(left)}" y="${y}" width="${n(Math.max(2, right - left))}" height="${ROW - 8}" rx="3"><title>${html(told, 300)}</title></rect>`;
  });
  const marks = agent.handoffs.map(each => {
    const at = x(Date.parse(each.ended_at));
    return `<path class="mark" d="M${n(at)} ${y + 2}l5 7l-5 7l-5 -7z"><title>${html(handoffText(each), 300)}</title></path>`;
  });
  const none = agent.attempts.length === 0 ? `<text class="tick" x="${LEFT + 4}" y="${y + 13}">not started</text>` : '';
  return [
    `<text class="name" x="${LEFT - 8}" y="${y + 13}" text-anchor="end">${html(agent.name, 24)}</text>`,
    none,
    ...bars,
    ...marks,
  ];
}

const STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 43_200, 86_400];

function ticks(from: number, to: number): number[] {
  const seconds = (to - from) / 1000;
  const step = STEPS.find(each => seconds / each <= 8) ?? Math.ceil(seconds / 8 / 86_400) * 86_400;
  return Array.from({ length: Math.floor(seconds / step) + 1 }, (_, at) => from + at * step * 1000);
}

function tickText(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 120) return `${seconds}s`;
  return seconds < 7200 ? `${Math.round(seconds / 6) / 10}m` : `${Math.round(seconds / 360) / 10}h`;
}

const n = (value: number): string => value.toFixed(1).replace(/\.0$/, '');
