// How full the context of one agent was over time, as an SVG: one line a session, so a handoff is a drop; a diamond
// where it ended, and a dashed line where it fires. Pure.

import type { HandoffRecord } from '../protocol/handoff.ts';
import { html } from './escape.ts';
import type { Page, PageAgent } from './page.ts';
import { handoffText, tokens } from './words.ts';

const SIZE = { width: 460, height: 130, left: 52, right: 10, top: 10, bottom: 18 };
const MOST_POINTS = 400; // more are closer together than a pixel

export function contextSvg(agent: PageAgent, page: Page): string | null {
  const points = agent.curves.flatMap(curve => curve.points);
  if (points.length === 0) return null;
  const [from, to] = [page.startedAt, Math.max(page.endedAt ?? page.now, page.startedAt + 1000)];
  const most = Math.max(...points.map(point => point.tokens));
  // A threshold far above would make a flat line of the curve.
  const limit = agent.threshold !== null && agent.threshold <= most * 4 ? agent.threshold : null;
  const top = niceTop(Math.max(most, limit ?? 0));
  const x = (at: number) =>
    SIZE.left + ((Math.min(Math.max(at, from), to) - from) / (to - from)) * (SIZE.width - SIZE.left - SIZE.right);
  const y = (count: number) => SIZE.height - SIZE.bottom - (count / top) * (SIZE.height - SIZE.top - SIZE.bottom);
  const lines = agent.curves.map(curve => {
    const shown = thin(curve.points).map(point => `${x(point.at).toFixed(1)},${y(point.tokens).toFixed(1)}`);
    const last = curve.points.at(-1)!;
    const told = html(`session ${curve.session}: up to ${tokens(last.tokens)} tokens`, 200);
    const dot = `<circle class="dot" cx="${x(last.at).toFixed(1)}" cy="${y(last.tokens).toFixed(1)}" r="2.5"><title>${told}</title></circle>`;
    return `<polyline class="curve" points="${shown.join(' ')}"/>${dot}`;
  });
  const grid = [0, top / 2, top].map(
    count =>
      `<line class="grid" x1="${SIZE.left}" x2="${SIZE.width - SIZE.right}" y1="${y(count)}" y2="${y(count)}"/><text class="tick" x="${SIZE.left - 6}" y="${y(count) + 4}" text-anchor="end">${tokens(count)}</text>`,
  );
  return [
    `<svg viewBox="0 0 ${SIZE.width} ${SIZE.height}" role="img" aria-label="${html(`Context of ${agent.name}`, 100)}">`,
    ...grid,
    ...(limit === null ? [] : [limitLine(y(limit))]),
    ...lines,
    ...agent.handoffs.map(each => handoffMark(each, x(Date.parse(each.ended_at)))),
    '</svg>',
  ].join('\n');
}

const limitLine = (y: number): string =>
  `<line class="limit" x1="${SIZE.left}" x2="${SIZE.width - SIZE.right}" y1="${y.toFixed(1)}" y2="${y.toFixed(1)}"/>`;

function handoffMark(each: HandoffRecord, x: number): string {
  const bottom = SIZE.height - SIZE.bottom;
  return `<path class="mark" d="M${x.toFixed(1)} ${bottom - 6}l4 6l-4 6l-4 -6z"><title>${html(handoffText(each), 300)}</title></path>`;
}

function niceTop(most: number): number {
  const unit = 10 ** Math.floor(Math.log10(Math.max(most, 10)));
  return [1, 2, 5, 10].map(factor => factor * unit).find(each => each >= most)!;
}

function thin<T>(points: readonly T[]): readonly T[] {
  if (points.length <= MOST_POINTS) return points;
  const step = (points.length - 1) / (MOST_POINTS - 1);
  return Array.from({ length: MOST_POINTS }, (_, at) => points[Math.round(at * step)]!);
}
