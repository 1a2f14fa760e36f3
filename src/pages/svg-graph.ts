// The graph of dependencies as an SVG: one column a wave, boxes coloured by state. Pure.

import { wavesOf } from '../plan/waves.ts';
import { html } from './escape.ts';
import type { Page } from './page.ts';
import { statusWords } from './words.ts';

const BOX = { width: 150, height: 34 };
const GAP = { x: 60, y: 14 };
const EDGE = 10;

export function graphSvg({ agents }: Page): string {
  const { waves, never } = wavesOf(new Map(agents.map(agent => [agent.name, agent.needs])));
  const columns = never.length === 0 ? waves : [...waves, never];
  const most = Math.max(1, ...columns.map(column => column.length));
  const height = EDGE * 2 + most * (BOX.height + GAP.y) - GAP.y;
  const width = EDGE * 2 + columns.length * (BOX.width + GAP.x) - GAP.x;
  const places = new Map(
    columns.flatMap((names, column) =>
      names.map((name, row) => {
        const used = names.length * (BOX.height + GAP.y) - GAP.y;
        const y = (height - used) / 2 + row * (BOX.height + GAP.y);
        return [name, { x: EDGE + column * (BOX.width + GAP.x), y }] as const;
      }),
    ),
  );
  const lines = agents.flatMap(agent =>
    agent.needs.flatMap(need => {
      const [from, to] = [places.get(need), places.get(agent.name)];
      if (from === undefined || to === undefined) return [];
      const [x1, y1, x2, y2] = [from.x + BOX.width, from.y + BOX.height / 2, to.x, to.y + BOX.height / 2];
      const bend = Math.max(24, (x2 - x1) / 2);
      return [`<path class="edge" d="M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}"/>`];
    }),
  );
  const boxes = agents.map(agent => {
    const { x, y } = places.get(agent.name)!;
    return [
      `<g><title>${html(`${agent.name}: ${statusWords[agent.status]}`, 300)}</title>`,
      `<rect class="box ${agent.status}" x="${x}" y="${y}" width="${BOX.width}" height="${BOX.height}" rx="6"/>`,
      `<text class="label" x="${x + BOX.width / 2}" y="${y + 22}" text-anchor="middle">${html(agent.name, 19)}</text></g>`,
    ].join('');
  });
  return [
    `<svg class="graph" viewBox="0 0 ${width} ${height}" width="${width}" role="img" aria-label="Graph of dependencies">`,
    ...lines,
    ...boxes,
    '</svg>',
  ].join('\n');
}
