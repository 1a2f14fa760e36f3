// The watchdog's status as a person reads it.

import { expect, test } from 'vitest';
import { watchdogLines } from '../../src/cli/watchdog-lines.ts';
import type { WatchdogStatus } from '../../src/protocol/handoff.ts';
import { cellWidth } from '../../src/text/cell-width.ts';
import { colourless } from '../../src/text/paint.ts';
import { lacksWithoutHooks } from '../../src/watching/adopted-panes.ts';

const now = Date.parse('2026-11-18T12:05:09Z');
const pane = {
  socket: '/tmp/tmux-1000/default',
  pane: '%7',
  agent: null,
  session_id: 's',
  tokens: 45_213,
  threshold: 100_000,
  handoff: null,
  paused: null,
  lacks: [],
};
const status = (more: Partial<WatchdogStatus>): WatchdogStatus => ({
  version: 1,
  pid: 4711,
  started_at: '2026-11-18T12:00:00Z',
  heartbeat_at: '2026-11-18T12:05:00Z',
  panes: [pane],
  paused_until: null,
  last_error: null,
  ...more,
});
const show = (more: Partial<WatchdogStatus>, width = 80) =>
  watchdogLines(status(more), { width, now, paint: colourless });

test('each pane has one line, and what is unknown is no zero', () => {
  const lines = show({ panes: [pane, { ...pane, pane: '%12', agent: 'tests', tokens: null }] });
  expect(lines[0]).toMatch(/^the watchdog runs as process 4711 since 2026-11-1\d \d\d:\d\d; 2 panes$/);
  expect(lines.slice(1)).toEqual([
    '  %7   adopted                  45.2k of 100k tokens',
    '  %12  tests                    ? of 100k tokens',
  ]);
});

test('a handoff under way, a limit and what is missing stand below their pane', () => {
  const handoff = { id: 'h-1', state: 'writing', since: '2026-11-18T12:05:00Z' };
  const lines = show({ panes: [{ ...pane, handoff, paused: 'max_handoffs (3) is reached', lacks: ['a proof'] }] });
  expect(lines.slice(2)).toEqual([
    '       handoff h-1: writing, 0:09',
    '       not handed off: max_handoffs (3) is reached',
    '       - missing: a proof',
  ]);
});

test('nothing is wider than the terminal, and no control sequence comes through', () => {
  const long = { ...pane, agent: 'a'.repeat(60), lacks: [...lacksWithoutHooks], socket: '/tmp/other' };
  const message = `tmux gives no answer: ${'very '.repeat(30)}\u001b[2J bad`;
  const lines = show({
    panes: [pane, long],
    paused_until: '2026-11-18T13:00:00Z',
    last_error: { at: '2026-11-18T12:04:00Z', message },
  });
  expect(lines.filter(line => cellWidth(line) > 80)).toEqual([]);
  expect(lines.join('')).not.toContain('\u001b');
  expect(lines).toContain('       on /tmp/other');
  expect(lines.join('\n')).toContain('no handoff begins before');
});
