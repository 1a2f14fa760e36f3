// What `baton watchdog status` shows, for a width: itself, its troubles, and each pane with what is missing there. Pure.

import { plainText } from '../files/plain-text.ts';
import type { WatchdogStatus } from '../protocol/handoff.ts';
import { fitCells, padCells } from '../text/cell-width.ts';
import type { Paint } from '../text/paint.ts';
import { counted, dayText, spanText } from '../text/span-text.ts';
import { wrapText } from './wrap-text.ts';

type Pane = WatchdogStatus['panes'][number];
export type WatchdogView = { width: number; now: number; paint: Paint };

const NAMES = 24;
const BELOW = '       ';

export function watchdogLines(status: WatchdogStatus, view: WatchdogView): string[] {
  const { pid, started_at, panes, paused_until, last_error } = status;
  const alarm = (text: string) => wrapText(`  ${plainText(text)}`, view.width).map(line => view.paint('yellow', line));
  const servers = new Set(panes.map(({ socket }) => socket));
  return [
    `the watchdog runs as process ${pid} since ${dayText(started_at)}; ${counted(panes.length, 'pane')}`,
    ...(paused_until === null ? [] : alarm(`no handoff begins before ${dayText(paused_until)}: three of them failed`)),
    ...(last_error === null ? [] : alarm(`last error, ${dayText(last_error.at)}: ${last_error.message}`)),
    ...panes.flatMap(pane => paneLines(pane, servers.size > 1, view)),
  ];
}

function paneLines(pane: Pane, isServerTold: boolean, { width, now, paint }: WatchdogView): string[] {
  const { agent, tokens, threshold, handoff, lacks, socket } = pane;
  const name = padCells(fitCells(plainText(agent ?? 'adopted'), NAMES), NAMES);
  const isOver = tokens !== null && threshold !== null && tokens >= threshold;
  const context = `${tokensText(tokens)} of ${tokensText(threshold)} tokens`;
  const below = (text: string) => wrapText(`${BELOW}${plainText(text)}`, width);
  const since = handoff === null ? 0 : now - Date.parse(handoff.since);
  return [
    `  ${pane.pane.padEnd(4)} ${name} ${isOver ? paint('yellow', context) : context}`,
    ...(isServerTold ? below(`on ${socket}`) : []),
    ...(handoff === null ? [] : below(`handoff ${handoff.id}: ${handoff.state}, ${spanText(since)}`)),
    ...(pane.paused === null ? [] : below(`not handed off: ${pane.paused}`).map(line => paint('yellow', line))),
    ...lacks.flatMap(lack => below(`- missing: ${lack}`)).map(line => paint('dim', line)),
  ];
}

// Like the status line: 45.2k. What is unknown is not nothing.
function tokensText(tokens: number | null): string {
  if (tokens === null) return '?';
  return tokens < 1000 ? String(tokens) : `${(tokens / 1000).toFixed(1).replace(/\.0$/, '')}k`;
}
