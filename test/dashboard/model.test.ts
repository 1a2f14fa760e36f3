// What the dashboard shows and what its keys mean: decided without a terminal.

import { expect, test } from 'vitest';
import { buildRows } from '../../src/dashboard/model/agent-row.ts';
import { chooseRows } from '../../src/dashboard/model/choose-rows.ts';
import { conflictAt, pageArgv } from '../../src/dashboard/model/conflict-at.ts';
import { contextBar, contextTone, sparkline, tokensText } from '../../src/dashboard/model/context-bar.ts';
import { footerLines, saidLines } from '../../src/dashboard/model/footer-line.ts';
import { headerLine } from '../../src/dashboard/model/header-line.ts';
import { type Key, pressKey } from '../../src/dashboard/model/keys.ts';
import { buildScreen } from '../../src/dashboard/model/screen.ts';
import type { Seen } from '../../src/dashboard/model/seen.ts';
import { firstUi, type Ui, type Wish } from '../../src/dashboard/model/ui.ts';
import { cellWidth } from '../../src/text/cell-width.ts';
import { colourful, colourless, type Paint } from '../../src/text/paint.ts';
import { agent, claude, NOW, question, seen } from './seen-world.ts';

const all = { filter: '', onlyNeeds: false, sort: 'time' } as const;
const names = (value: Seen, choice = {}) =>
  chooseRows(buildRows(value), { ...all, ...choice }, NOW).map(({ name, look }) => `${name}:${look.word}`);
const body = (value: Seen, ui: Ui = firstUi, width = 80, height = 20) =>
  buildScreen({ seen: value, ui, now: NOW, page: [], detail: null, width, height, paint: colourless });

function press(value: Seen, ...keys: Key[]): { ui: Ui; wishes: Wish[] } {
  let ui = firstUi;
  const wishes: Wish[] = [];
  for (const key of keys) {
    const step = pressKey(ui, key, body(value, ui).screen, NOW);
    ui = step.ui;
    wishes.push(...step.wishes);
  }
  return { ui, wishes };
}
const argv = (wishes: readonly Wish[]) => wishes.map(wish => ('argv' in wish ? wish.argv.join(' ') : wish.do));

const crowd = seen([
  agent('done', { status: 'success', end_time: '2026-01-02T10:01:00Z', claude: null, pane: null }),
  agent('broken', { status: 'failure', end_time: '2026-01-02T10:01:00Z', claude: null, pane: null }),
  agent('later', { status: 'pending', start_time: null, claude: null, pane: null }),
  agent('busy'),
  agent('asker', { claude: claude({ state: 'permission', question }) }),
  agent('limit', { status: 'parked', claude: claude({ parked: { reason: 'used up', until: null } }) }),
  agent('login', { claude: claude({ state: 'login' }) }),
]);

test('who needs a person comes first, then who runs, waits and ended, failures before successes', () => {
  expect(names(crowd)).toEqual([
    'asker:asks',
    'login:stuck',
    'limit:parked',
    'busy:running',
    'later:waiting',
    'broken:failed',
    'done:done',
  ]);
});

test('an agent on one side of an undecided conflict needs a person, and so does one whose engine is gone', () => {
  const over = seen([agent('a', { status: 'success' }), agent('b', { status: 'success' })], {
    conflicts: [{ id: 'c-1', path: 'x', agents: ['b'] }],
  });
  expect(names(over)).toEqual(['b:conflict', 'a:done']);
  expect(names(seen([agent('a')], { hasEngine: false }))).toEqual(['a:no engine']);
});

test('filters by any word, by need, and sorts within what needs a person', () => {
  expect(names(crowd, { filter: 'ask PERM' })).toEqual([]);
  expect(names(crowd, { filter: 'asker' })).toEqual(['asker:asks']);
  expect(names(crowd, { onlyNeeds: true })).toHaveLength(3);
  expect(names(crowd, { sort: 'name' }).slice(0, 3)).toEqual(['asker:asks', 'login:stuck', 'limit:parked']);
});

test('a context that nobody knows is a question mark, never nothing', () => {
  const unknown = seen([agent('a', { claude: claude({ context: null, cost_usd: null }) })]);
  const line = body(unknown, firstUi, 120).lines.find(each => each.includes('›a'))!;
  expect(line).toMatch(/\?\/\?/);
  expect(line).toContain('$?');
  expect(line).not.toMatch(/\b0k?\//);
});

test('the bar is green, amber and red, and its mark is where the handoff fires', () => {
  const at = (tokens: number) => ({ tokens, threshold: 100_000, window: 200_000 });
  const shown = (tokens: number, paint: Paint) => paint(contextTone(at(tokens)), 'x').replace('x', ' ');
  for (const [tokens, hue] of [
    [20_000, 'green'],
    [80_000, 'yellow'],
    [100_000, 'red'],
  ] as const)
    expect(shown(tokens, colourful)).toBe(colourful(hue, ' '));
  const text = contextBar(at(50_000), 20)
    .map(part => part.text)
    .join('');
  expect(text).toBe('████████░░░░░░░░┃░░░');
  expect([999, 1000, 999_400, 1_234_567].map(tokensText)).toEqual(['999', '1k', '999k', '1.23M']);
});

test('a handoff is a drop in the curve that no squeezing hides', () => {
  const history = Array.from({ length: 100 }, (_, at) => ({ at, tokens: at === 50 ? 5000 : 90_000 }));
  const curve = sparkline(history, 20, { tokens: 90_000, threshold: 100_000, window: null });
  expect(curve).toHaveLength(20);
  expect(curve).toMatch(/█▁█|▇▁▇/);
});

test('no line is wider than the terminal, whatever an agent is called or says, and nothing of it is obeyed', () => {
  const evil =
    '\u001b]52;c;aGFjaw==\u0007\u001b]0;title\u0007\u001b[2J\u202e测试👩‍👩‍👧\u009b31m' + 'x'.repeat(1_000_000);
  const hostile = seen(
    [
      agent('a', {
        last_line: evil,
        claude: claude({ question: { ...question, title: evil, options: [{ number: 1, label: evil }] } }),
      }),
    ],
    { tasks: new Map([['a', evil]]) },
  );
  for (const zoom of ['overview', 'agent', 'graph'] as const) {
    for (const [width, height] of [
      [40, 10],
      [80, 22],
      [200, 48],
      [300, 78],
    ] as const) {
      const lines = buildScreen({
        seen: hostile,
        ui: { ...firstUi, zoom, selected: '/w\u0000a' },
        now: NOW,
        page: [],
        detail: {
          key: '/w\u0000a',
          request: null,
          outputs: [],
          checks: [],
          attempts: [],
          story: [{ at: NOW, text: evil }],
          pane: `ok\n${evil}\n\u001b[31mred`,
        },
        width,
        height,
        paint: colourful,
      }).lines;
      expect(lines.length).toBeLessThanOrEqual(height);
      for (const line of lines) {
        const shown = line.replaceAll(/\u001b\[[0-9;:]*m/g, '');
        expect(shown, zoom).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
        expect(cellWidth(shown), `${zoom} ${width}`).toBeLessThanOrEqual(width);
      }
    }
  }
});

test('every key that changes something is a command of the command line', () => {
  const asks = seen([agent('a', { claude: claude({ state: 'permission', question }) })]);
  const held = seen([agent('a', { claude: claude({ held_by: 'me' }) })]);
  expect(argv(press(asks, 'enter', 'y').wishes)).toEqual(['answer exec-1/a 1 --question abcdef0123456789']);
  expect(argv(press(asks, 'enter', 'n').wishes)).toEqual(['answer exec-1/a 3 --question abcdef0123456789']);
  expect(argv(press(asks, 'enter', '2').wishes)).toEqual(['answer exec-1/a 2 --question abcdef0123456789']);
  expect(argv(press(crowd, 'j', 'j', 'j', 'h').wishes)).toEqual(['handoff exec-1/busy']);
  expect(argv(press(held, 'H').wishes)).toEqual(['unhold exec-1/a']);
  expect(argv(press(asks, 'H', 'p', 'a', 'v').wishes)).toEqual([
    'hold exec-1/a',
    'pause exec-1',
    'attach exec-1/a --quiet',
    'attach exec-1/a --quiet --read-only',
  ]);
  expect(argv(press(asks, 's', 'h', 'i', 'enter').wishes)).toEqual(['send exec-1/a --wait 20 -- hi']);
  expect(argv(press(asks, 'l').wishes)).toEqual(['logs exec-1/a -f']);
  expect(argv(press(asks, 'd').wishes)).toEqual(['diff exec-1/a']);
  expect(argv(press(asks, 'q').wishes)).toEqual(['quit']);
});

test('cancelling, trying again and archiving wait for a yes', () => {
  const one = seen([agent('a')]);
  expect(argv(press(one, 'x', 'n').wishes)).toEqual([]);
  expect(argv(press(one, 'x', 'y').wishes)).toEqual(['cancel exec-1 --quiet']);
  expect(argv(press(one, 'R', 'y').wishes)).toEqual(['retry exec-1 a --quiet']);
  expect(argv(press(one, 'A', 'y').wishes)).toEqual(['archive --agent exec-1/a']);
});

test('each conflict can be gone to and is decided by the number of a side, after a yes', () => {
  const conflicts = ['c-1', 'c-2', 'c-3'].map(id => ({ id, path: `${id}.md`, agents: ['a', 'b'] }));
  const three = seen([agent('a', { status: 'success' }), agent('b', { status: 'success' })], { conflicts });
  const decided = (...keys: Key[]) => argv(press(three, 'm', ...keys).wishes).slice(1);
  expect(decided('2', 'n')).toEqual([]);
  expect(decided('2', 'y')).toEqual(['merge exec-1 --take c-1=b']);
  expect(decided('tab', '1', 'y')).toEqual(['merge exec-1 --take c-2=a']);
  expect(decided('[', '2', 'y')).toEqual(['merge exec-1 --take c-3=b']);
  expect(press(three, 'm', '7').ui.message?.text).toBe('there is no side 7');
  const at = (given: typeof conflicts, ui: Ui) =>
    pageArgv(ui.pager, conflictAt(ui.pager, seen([agent('a')], { conflicts: given }))).join(' ');
  const { ui } = press(three, 'm', ']');
  expect(at(conflicts, ui)).toBe('conflicts exec-1 c-2');
  expect(at(conflicts.toSpliced(1, 1), ui)).toBe('conflicts exec-1 c-1'); // decided: on to one that is left
  expect(at([], ui)).toBe('conflicts exec-1');
});

test('what is told is told whole, and no hint is cut, at any width', () => {
  const told = 'agent "a" of exec-1 is not running (success) · `baton logs exec-1/a` shows what it wrote';
  for (const width of [40, 80, 120]) {
    const said = saidLines({ ...firstUi, message: { text: told, kind: 'bad' } }, { width, height: 24 });
    expect(said.join(' ')).toBe(told);
    for (const zoom of ['overview', 'agent', 'graph'] as const) {
      const ui = { ...firstUi, zoom };
      const [hints] = footerLines(ui, [], body(crowd, ui, width), { width, paint: colourless });
      expect(cellWidth(hints!)).toBeLessThanOrEqual(width);
      expect(hints).not.toContain('…');
      expect(hints).toContain('? keys');
    }
  }
});

test('what was sent before comes back with the arrow, and typing goes where the cursor is', () => {
  const one = seen([agent('a')]);
  const { ui } = press(one, 's', 'o', 'n', 'e', 'enter', 's', 'up', 'left', 'left', 'X');
  expect(ui.entry).toMatchObject({ text: 'oXne', cursor: 2 });
});

test('what came of an execution stands in the overview for an hour, with how to read more', () => {
  const ended = (status: string, changes = {}) => {
    const value = seen([agent('a', { status: 'success', claude: null, pane: null })], changes);
    const [execution] = value.executions;
    return { ...value, executions: [{ ...execution!, status: { ...execution!.status, status } as never }] };
  };
  const shown = (value: Seen, width = 80, now = NOW) =>
    buildScreen({ seen: value, ui: firstUi, now, page: [], detail: null, width, height: 20, paint: colourless })
      .lines.filter(line => line.includes('exec-1'))
      .join('\n');
  expect(shown(ended('partial_success'))).toMatch(/exec-1 .*1\/1 {2}≈ partial success {2}r shows its report/);
  expect(shown(ended('success', { conflicts: [{ id: 'c', agents: ['a'] }] }))).toContain('1 conflict left: m');
  expect(shown(ended('cancelled'), 40)).toContain('cancelled');
  expect(shown(ended('success'), 80, NOW + 3_600_000)).toBe('');
});

test('a pane of your own that is full and not handed off needs you, and can be attached to by its server', () => {
  const pane = (changes: object) => ({
    socket: '/tmp/own',
    pane: '%7',
    agent: null,
    session_id: null,
    tokens: 120_000,
    threshold: 100_000,
    handoff: null,
    paused: null,
    lacks: [],
    ...changes,
  });
  const watched = (changes: object, more: object = {}) =>
    seen(
      [],
      {},
      {
        watchdog: {
          state: 'on',
          status: {
            version: 1,
            pid: 1,
            started_at: '',
            heartbeat_at: '',
            panes: [pane(changes)],
            paused_until: null,
            last_error: null,
            ...more,
          },
        },
      },
    );
  expect(names(watched({}))).toEqual(['%7:watched']);
  const full = watched({ paused: 'three handoffs an hour are enough' });
  expect(names(full)).toEqual(['%7:full']);
  expect(buildRows(full)[0]).toMatchObject({ rank: 'needs', last: 'three handoffs an hour are enough' });
  expect(argv(press(full, 'a', 'v').wishes)).toEqual([
    'attach %7 --socket /tmp/own --quiet',
    'attach %7 --socket /tmp/own --quiet --read-only',
  ]);
  const error = { last_error: { at: '2026-01-02T10:04:00Z', message: 'no disk\u001b[2J' } };
  const head = (value: Seen, now = NOW) => headerLine(value, buildRows(value), { now, width: 100, paint: colourless });
  expect(head(watched({}, error))).toContain('watchdog: no disk');
  expect(head(watched({}, error), NOW + 3_600_000)).toContain('watchdog ✔');
});
