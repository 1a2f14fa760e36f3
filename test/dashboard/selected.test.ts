// Who is selected while rows come, go and change places, and whom a key then means: decided without a terminal.

import { expect, test } from 'vitest';
import { footerLines } from '../../src/dashboard/model/footer-line.ts';
import { commandEnded } from '../../src/dashboard/model/hold-told.ts';
import { type Key, pressKey } from '../../src/dashboard/model/keys.ts';
import { pointAt } from '../../src/dashboard/model/point-at.ts';
import { buildScreen } from '../../src/dashboard/model/screen.ts';
import type { Seen } from '../../src/dashboard/model/seen.ts';
import { rowsOf, settleUi } from '../../src/dashboard/model/settle-ui.ts';
import { firstUi, type Ui, type Wish } from '../../src/dashboard/model/ui.ts';
import type { AgentLine } from '../../src/protocol/status.ts';
import { colourless } from '../../src/text/paint.ts';
import { agent, claude, NOW, question, seen } from './seen-world.ts';

const asks = (name: string, digest = `digest-of-${name}`): AgentLine =>
  agent(name, { claude: claude({ state: 'permission', question: { ...question, digest } }) });

// A dashboard as the view keeps it: the world settles, then keys mean what is shown.
function makeDashboard(first: Seen) {
  let [world, time, ui] = [first, NOW, firstUi as Ui];
  const wishes: Wish[] = [];
  const settle = (by: 'person' | 'world') => {
    ui = settleUi(ui, rowsOf(world, ui, time), { at: time, by });
  };
  const body = (width = 80, height = 20) =>
    buildScreen({ seen: world, ui, now: time, page: [], detail: null, width, height, paint: colourless });
  settle('world');
  return {
    ui: () => ui,
    lines: () => body().lines.join('\n'),
    hints: (width = 200) => footerLines(ui, [], body(width), { width, paint: colourless })[0]!,
    argv: () => wishes.splice(0).map(wish => ('argv' in wish ? wish.argv.join(' ') : wish.do)),
    change(next: Seen, afterMs = 0) {
      time += 10_000;
      world = next;
      settle('world');
      time += afterMs;
    },
    press(...keys: Key[]) {
      for (const key of keys) {
        const step = pressKey(ui, key, body().screen, time);
        ui = step.ui;
        settle('person');
        wishes.push(...step.wishes);
      }
    },
    ended(argv: string, kind: 'good' | 'bad' = 'good') {
      ui = commandEnded(ui, { argv: argv.split(' ') }, { text: 'told', kind });
    },
  };
}

test('the cursor stays on the row it was on from the first moment, whoever comes before it', () => {
  const dash = makeDashboard(seen([agent('alpha'), agent('beta')]));
  expect(dash.lines()).toMatch(/›alpha/);
  dash.change(seen([agent('alpha'), asks('beta')]));
  expect(dash.lines()).toMatch(/›alpha/);
  expect(dash.hints()).toMatch(/^ g who needs you/);
  dash.press('H');
  expect(dash.argv()).toEqual(['hold exec-1/alpha']);
  dash.press('g');
  expect(dash.hints()).toMatch(/^ enter what it asks/);
});

test('before there is any row nothing is selected, and the first that comes is', () => {
  const dash = makeDashboard(seen([]));
  dash.press('H', 'j', 'enter');
  expect(dash.argv()).toEqual([]);
  dash.change(seen([agent('alpha'), agent('beta')]));
  dash.change(seen([asks('beta'), agent('alpha')]), 600);
  dash.press('h');
  expect(dash.argv()).toEqual(['handoff exec-1/alpha']);
});

test.each([[['!']], [['/', ...'asks', 'enter']]])(
  'a page acts on the agent it shows, also when the filter %j of the overview hides that one by now',
  filter => {
    const dash = makeDashboard(seen([asks('alpha'), asks('beta')]));
    dash.press(...filter, 'enter');
    dash.change(seen([agent('alpha'), asks('beta')]), 600);
    expect(dash.lines()).toMatch(/▶ alpha/);
    dash.press('y', 'h', 'a', 'l', 'q');
    expect(dash.argv()).toEqual(['handoff exec-1/alpha', 'attach exec-1/alpha --quiet', 'logs exec-1/alpha -f']);
  },
);

test('a prompt goes to whom it was begun for, whatever happens while it is typed; to nobody when that one is gone', () => {
  const dash = makeDashboard(seen([asks('alpha'), asks('beta')]));
  dash.press('!', 's', 'h');
  dash.change(seen([agent('alpha'), asks('beta')]), 600);
  dash.press('i', 'enter');
  expect(dash.argv()).toEqual(['send exec-1/alpha --wait 20 -- hi']);
  dash.press('escape', 'g', 's', 'x');
  expect(dash.ui().entry?.to?.name).toBe('beta');
  dash.change(seen([agent('alpha')]));
  dash.press('enter');
  expect(dash.argv()).toEqual([]);
  expect(dash.ui().message?.text).toBe('beta is gone; nothing was sent');
  dash.change(seen([agent('alpha')]));
  dash.press('s', 'up');
  expect(dash.ui().entry?.text).toBe('x'); // nobody has to write it again
});

test('a page whose agent is gone leads back to the overview with a word, never to the page of another', () => {
  const dash = makeDashboard(seen([agent('alpha'), agent('beta')]));
  dash.press('enter');
  dash.change(seen([agent('beta')]));
  expect(dash.ui()).toMatchObject({ zoom: 'overview', message: { text: 'alpha is gone; the cursor is on beta now' } });
  dash.press('H');
  expect(dash.argv()).toEqual([]);
  expect(dash.ui().message?.text).toContain('once more');
});

test('what is pressed in the moment the cursor had to move hits nobody; a moment later it does', () => {
  const dash = makeDashboard(seen([asks('alpha'), asks('beta')]));
  dash.press('!');
  dash.change(seen([agent('alpha'), asks('beta')]), 100);
  expect(dash.ui().message?.text).toBe('alpha is no longer in this list; the cursor is on beta now');
  for (const key of ['H', 'h', 'p', 'a', 's', 'x', 'R', 'y', '1']) dash.press(key);
  expect(dash.argv()).toEqual([]);
  expect(dash.ui()).toMatchObject({ zoom: 'overview', entry: null, confirm: null });
  dash.change(seen([agent('alpha'), asks('beta')]));
  dash.press('H');
  expect(dash.argv()).toEqual(['hold exec-1/beta']);
});

test('an answer meant for the question before is not given to the one that has just come', () => {
  const dash = makeDashboard(seen([asks('alpha', 'first-question-x')]));
  dash.press('enter');
  dash.change(seen([asks('alpha', 'second-question-')]), 400);
  dash.press('y', '1', 'n');
  expect(dash.argv()).toEqual([]);
  expect(dash.ui().message?.text).toContain('just changed');
  dash.change(seen([asks('alpha', 'second-question-')]));
  dash.press('y');
  expect(dash.argv()).toEqual(['answer exec-1/alpha 1 --question second-question-']);
});

test('where the question cannot be read the first key shows it and only the next one answers', () => {
  for (const way of [[], ['tab']]) {
    const dash = makeDashboard(seen([asks('alpha')]));
    dash.press(...way, 'y');
    expect(dash.argv()).toEqual([]);
    expect(dash.ui().zoom).toBe('agent');
    expect(dash.lines()).toContain('Do you want to proceed?');
    dash.press('3');
    expect(dash.argv()).toEqual(['answer exec-1/alpha 3 --question digest-of-alpha']);
  }
});

test('y and n are taken only where one option is a plain yes or no; else a number is asked for', () => {
  const given = (...labels: string[]) => {
    const options = labels.map((label, at) => ({ number: at + 1, label }));
    const dash = makeDashboard(seen([agent('a', { claude: claude({ question: { ...question, options } }) })]));
    dash.press('enter', 'y', 'n');
    const message = dash.ui().message?.text;
    return [dash.argv().map(words => words.split(' ')[2]), message, dash.hints()] as const;
  };
  const [permission, , hints] = given('Yes', "Yes, and don't ask again", 'No, tell it what to do');
  expect(permission).toEqual(['1', '3']);
  expect(hints).toMatch(/^ y n 1-3 answer/);
  const [look, told, numbers] = given('Dark', 'Light', 'Type something', 'Chat about this');
  expect(look).toEqual([]);
  expect(told).toBe('no single option says just no: choose a number (1 2 3 4)');
  expect(numbers).toMatch(/^ 1-4 answer/);
  const [plan, , some] = given('Yes, and auto-accept edits', 'Yes, and approve each', 'No, keep planning');
  expect(plan).toEqual(['3']);
  expect(some).toMatch(/^ n 1-3 answer/);
});

test('what is pasted goes into a line that is typed and is a key nowhere, whatever it says', () => {
  const dash = makeDashboard(seen([asks('alpha')]));
  dash.press('enter');
  for (const paste of ['y', '1', 'q', 'x', 'ctrl-c', 'escape']) dash.press({ paste });
  expect(dash.argv()).toEqual([]);
  expect(dash.ui().zoom).toBe('agent');
  dash.press('s', { paste: 'enter' }, ' ', { paste: 'escape\r\nctrl-u\u001b[<0;1;1M' }, 'left', { paste: '!' });
  expect(dash.argv()).toEqual([]);
  expect(dash.ui().entry?.text).toBe('enter escape ctrl-u[<0;1;1!M');
  dash.press('enter');
  expect(dash.argv()).toEqual(['send exec-1/alpha --wait 20 -- enter escape ctrl-u[<0;1;1!M']);
});

test('H pressed twice holds and releases, although the status says so only later', () => {
  const free = seen([agent('alpha')]);
  const dash = makeDashboard(free);
  dash.press('H', 'H');
  expect(dash.argv()).toEqual(['hold exec-1/alpha']);
  expect(dash.ui().message?.text).toBe('hold alpha: not done yet');
  dash.ended('hold exec-1/alpha');
  dash.change(free);
  dash.press('H');
  expect(dash.argv()).toEqual(['unhold exec-1/alpha']);
  dash.ended('unhold exec-1/alpha', 'bad');
  dash.change(seen([agent('alpha', { claude: claude({ held_by: 'me' }) })]));
  dash.change(free); // somebody else released it: the status is believed again
  dash.press('H');
  expect(dash.argv()).toEqual(['hold exec-1/alpha']);
});

test('who holds an agent is seen although it asks', () => {
  const held = agent('alpha', { claude: claude({ question, held_by: 'me' }) });
  expect(makeDashboard(seen([held])).lines()).toMatch(/alpha +asks ■/);
});

test('an agent that ended is offered its report first and nothing that needs it alive, and keys say so at once', () => {
  const over = agent('alpha', { status: 'success', end_time: '2026-01-02T10:01:00Z', pane: '%1' });
  const dash = makeDashboard(seen([over]));
  expect(dash.hints()).toMatch(/^ \? keys {2}q quit {2}r report/);
  expect(dash.hints()).not.toMatch(/attach|send|hand off|hold|watch|cancel|pause/);
  dash.press('s');
  expect(dash.ui()).toMatchObject({ entry: null, message: { text: 'alpha does not run: nothing can be sent to it' } });
  dash.press('a', 'v', 'h', 'H');
  expect(dash.argv()).toEqual([]);
  const undecided = makeDashboard(seen([over], { conflicts: [{ id: 'c-1', path: 'x', agents: ['alpha'] }] }));
  expect(undecided.hints()).toMatch(/^ m decide/);
  expect(undecided.hints()).not.toMatch(/attach|send|hand off|hold|watch/);
  expect(makeDashboard(seen([asks('alpha')])).hints(120)).toContain('r report');
});

test('the wheel moves over three rows', () => {
  const five = seen(['a', 'b', 'c', 'd', 'e'].map(name => agent(name)));
  const body = buildScreen({
    seen: five,
    ui: { ...firstUi, selected: '/w\u0000a' },
    now: NOW,
    page: [],
    detail: null,
    width: 80,
    height: 20,
    paint: colourless,
  });
  const { ui } = pointAt({ ...firstUi, selected: '/w\u0000a' }, { what: 'wheel-down', column: 1, row: 5 }, body);
  expect(ui.selected).toBe('/w\u0000d');
});
