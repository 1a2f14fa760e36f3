// The views as Ink draws them, with a feed that is told what to show and hands that only note what is wished.

import { render } from 'ink-testing-library';
import { expect, test } from 'vitest';
import type { Feed } from '../../src/dashboard/feed/open-feed.ts';
import type { Pointed } from '../../src/dashboard/model/point-at.ts';
import type { Seen } from '../../src/dashboard/model/seen.ts';
import { newPager } from '../../src/dashboard/model/ui.ts';
import { takeOut } from '../../src/dashboard/terminal/keyboard.ts';
import { makeLineGlyphs } from '../../src/dashboard/terminal/line-glyphs.ts';
import { Dashboard, type DashboardProps, type Hands } from '../../src/dashboard/view/Dashboard.tsx';
import { colourless } from '../../src/text/paint.ts';
import { until } from '../cli/cli-world.ts';
import { agent, claude, question, seen } from './seen-world.ts';

function show(first: Seen, props: Partial<DashboardProps> = {}) {
  let current = first;
  let told = () => {};
  let point = (_: Pointed) => {};
  const ran: string[] = [];
  const feed: Feed = {
    seen: () => current,
    subscribe: listener => {
      told = listener;
      return () => {};
    },
    refresh() {},
    close() {},
  };
  const hands: Hands = {
    run: async (argv, label) => {
      ran.push(argv.join(' '));
      return { text: `${label}: it was done`, kind: 'good' };
    },
    attach: async argv => {
      ran.push(argv.join(' '));
      return null;
    },
    suspend: async () => {
      ran.push('suspend');
      return null;
    },
    redraw() {},
    onPointed: listener => {
      point = listener;
      return () => {};
    },
  };
  const app = render(<Dashboard feed={feed} hands={hands} paint={colourless} {...props} />);
  const sees = (what: string | RegExp) =>
    until(
      () => (typeof what === 'string' ? app.lastFrame()!.includes(what) : what.test(app.lastFrame()!)),
      () => `${what} in:\n${app.lastFrame()}`,
      5000,
    );
  return {
    ...app,
    ran,
    sees,
    point: (at: Pointed) => point(at),
    tell: (next: Seen) => {
      current = next;
      told();
    },
    press: async (keys: string) => {
      await new Promise(resolve => setTimeout(resolve, 20)); // effects listen after the first frame
      app.stdin.write(keys);
    },
  };
}

test('a change that the feed tells is in the next frame', async () => {
  const app = show(seen([agent('alpha')]));
  await app.sees(/alpha +running/);
  app.tell(seen([agent('alpha', { claude: claude({ state: 'permission', question }) })]));
  await app.sees(/alpha +asks/);
  await app.sees('● 1 needs you');
});

test('Enter zooms to the question with its options, a number answers it, and the answer is told', async () => {
  const app = show(seen([agent('alpha', { claude: claude({ state: 'permission', question }) })]));
  await app.press('\r');
  await app.sees('2. Yes, and');
  await app.press('2');
  await app.sees('it was done');
  expect(app.ran).toEqual(['answer exec-1/alpha 2 --question abcdef0123456789']);
});

test('what is typed as a filter is seen at once, and a click selects its row', async () => {
  const app = show(seen([agent('alpha'), agent('beta'), agent('gamma')]));
  await app.press('/bet');
  await until(
    () => !app.lastFrame()!.includes('alpha'),
    () => app.lastFrame()!,
    5000,
  );
  await app.press('\u001b');
  await app.press('\u001b');
  await app.sees(/▶ alpha[\s\S]*›beta/); // all are there again, and the cursor stays where it was
  const row =
    app
      .lastFrame()!
      .split('\n')
      .findIndex(line => line.includes('gamma')) + 1;
  app.point({ what: 'click', column: 5, row });
  await app.sees(/›gamma/);
});

test('keys that come faster than frames mean what each would have shown', async () => {
  const app = show(seen([agent('alpha'), agent('beta')]));
  await app.sees('beta');
  await app.press('/beta\rH');
  await until(() => app.ran.length === 1, 'a command', 5000);
  expect(app.ran).toEqual(['hold exec-1/beta']);
});

test('news open their page by themselves, but not under the hands of somebody who types', async () => {
  const news = { text: 'It has ended.', pager: newPager('help', 'keys', []) };
  let tell = (_: typeof news) => {};
  const open = () =>
    new Promise<typeof news>(resolve => {
      tell = resolve;
    });
  const idle = show(seen([agent('alpha')]), { until: open() });
  await idle.sees('alpha');
  tell(news);
  await idle.sees('It has ended.');
  expect(idle.lastFrame()).not.toMatch(/alpha +running/);
  const typing = show(seen([agent('alpha')]), { until: open() });
  await typing.press('/alp');
  await typing.sees('alp');
  tell(news);
  await new Promise(resolve => setTimeout(resolve, 50));
  expect(typing.lastFrame()).toMatch(/alpha +running/);
});

test('a key acts on the row under the cursor although rows have changed places around it', async () => {
  const app = show(seen([agent('alpha'), agent('beta')]));
  await app.sees(/›alpha/);
  app.tell(seen([agent('alpha'), agent('beta', { claude: claude({ state: 'permission', question }) })]));
  await app.sees(/beta +asks[\s\S]*›alpha/);
  await app.press('H');
  await app.sees('it was done');
  expect(app.ran).toEqual(['hold exec-1/alpha']);
});

test('what is pasted is typed where a line is typed, and presses no key', async () => {
  const app = show(seen([agent('alpha', { claude: claude({ state: 'permission', question }) })]));
  await app.press('\r');
  await app.sees('2. Yes, and');
  await app.press('\u001b[200~1\u001b[201~');
  await app.sees('what is pasted is taken only by a line');
  await app.press('s\u001b[200~enter\u001b[201~');
  await app.sees('to alpha: enter');
  expect(app.ran).toEqual([]);
});

test('clicks, the wheel and the focus are taken out of what is typed, also when they come in pieces', () => {
  const heard: unknown[] = [];
  const ears = { pointed: (at: Pointed) => heard.push(at.what, at.row), focused: (is: boolean) => heard.push(is) };
  const first = takeOut('a\u001b[<0;12;7Mb\u001b[I\u001b[<65;1;1', ears);
  const second = takeOut(`${first.cut}Mc\u001b[O`, ears);
  expect([first.text, second.text]).toEqual(['ab', 'c']);
  expect(heard).toEqual(['click', 7, true, 'wheel-down', 1, false]);
});

test('a click or a focus inside of what is pasted is text, also when the paste comes in pieces', () => {
  const heard: unknown[] = [];
  const ears = { pointed: (at: Pointed) => heard.push(at.what), focused: (is: boolean) => heard.push(is) };
  const pieces = ['a\u001b[20', '0~b\u001b[<0;12;7M', 'c\u001b[I\u001b[201', '~d\u001b[O'];
  let [cut, text] = ['', ''];
  for (const piece of pieces) {
    const taken = takeOut(cut + piece, ears);
    text += taken.text;
    cut = taken.cut;
  }
  expect(text).toBe('a\u001b[200~b\u001b[<0;12;7Mc\u001b[I\u001b[201~d');
  expect(heard).toEqual([false]);
});

test('a line is one glyph to Ink and itself again on the way out, for more lines than there are glyphs', () => {
  const glyphs = makeLineGlyphs();
  const still = 'it stands still';
  for (let round = 0; round < 9000; round += 1) {
    const lines = [still, `line ${round}`, `line ${round}`];
    const taken = glyphs.take(lines);
    expect(taken.every(glyph => glyph.length === 1)).toBe(true);
    expect(glyphs.give(taken.join('\n'))).toBe(lines.join('\n'));
  }
});
