// The whole dashboard in real tmux at five sizes, in every zoom, with everything at once on it; then the mouse, vi
// keys, sorting, filtering, resizing, and a watchdog that falls silent (in full size).

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { cellWidth } from '../../src/text/cell-width.ts';
import { patience, until } from '../cli/cli-world.ts';
import { isFull } from '../test-size.ts';
import { makeCrowd } from './crowd-world.ts';
import { type Dash, makeDashWorld } from './dash-world.ts';

vi.setConfig(patience);
let world: ReturnType<typeof makeDashWorld>;
let crowd: Awaited<ReturnType<typeof makeCrowd>>;
beforeEach(async () => {
  world = makeDashWorld();
  crowd = await makeCrowd(world);
});
afterEach(async () => {
  await crowd.end();
  world.end();
});

// The first row is the header, the last names keys: both were pushed away by any row that wraps.
function expectWhole(dash: Dash, cols: number, rows: number, zoom: string): void {
  const shown = dash.rows();
  expect(shown.length, `${zoom} ${cols}x${rows}`).toBe(rows);
  expect(shown[0], `${zoom} ${cols}x${rows}`).toMatch(/^ ● 3 need you/);
  expect(shown.at(-1), `${zoom} ${cols}x${rows}`).toMatch(/\? keys|q back/);
  expect(shown.at(-1)).not.toContain('…');
  for (const row of shown) expect(cellWidth(row), `${zoom} ${cols}x${rows}: ${row}`).toBeLessThanOrEqual(cols);
}

const selected = (dash: Dash): string =>
  /[?≠▶◆·✔✖-]›(?:\S+ +)?(part-\d+|agent-00|left|right|broken|%77) /.exec(dash.screen())?.[1] ?? '';

test('at five sizes every zoom shows what the state says, whole, and nothing wraps', async () => {
  const sizes = [
    [40, 12],
    [80, 24],
    [120, 40],
    [200, 50],
    [300, 80],
  ] as const;
  const dashes = sizes.map(([cols, rows]) => ({ cols, rows, dash: world.open(cols, rows) }));
  for (const { dash } of dashes) dash.start();
  const each = async (zoom: string, see: (dash: Dash, cols: number) => Promise<void>, ...keys: string[]) => {
    for (const { dash } of dashes) if (keys.length > 0) dash.keys(...keys);
    for (const { dash, cols, rows } of dashes) {
      await see(dash, cols);
      expectWhole(dash, cols, rows, zoom);
    }
  };
  await each('overview', async dash => {
    await dash.sees(/\?›.*agent-00 +asks/);
    await dash.sees(/≠ .*left +conflict/);
    await dash.sees(/▶ .*part-1 +running/);
    await dash.sees('4 running'); // three agents and the adopted pane
    await dash.sees(/%77 +watched/);
  });
  for (const { dash } of dashes.slice(1)) {
    expect(dash.screen()).toMatch(/88k\/100k/);
    expect(dash.screen()).toMatch(/part-4 +waiting.*after part-1, par/);
    expect(dash.screen()).toContain('漢字のログ');
  }
  expect(dashes[4]!.dash.screen()).toMatch(/broken +failed .*exit code 3/);
  await each('agent', dash => dash.sees(/It asks \(permission\)[\s\S]*rm -r 漢字のログ/), 'Enter');
  await each('back', dash => dash.sees(/≠ .*left +conflict/), 'Escape');
  await each('list', dash => dash.sees(/▶›.*part-3 +running/), '/', 'part-3', 'Enter');
  await each('graph', dash => dash.sees(/╰─│─│─● +▶›part-3 +running/), 'Tab');
  for (const { dash } of dashes.slice(3)) {
    const { agents } = crowd.status();
    expect(agents).toHaveLength(40);
    for (const { agent_name } of agents) expect(dash.screen()).toMatch(new RegExp(`[✔✖▶·] ?›?${agent_name} `));
  }
  await each('logs', dash => dash.sees(/logs +build\/part-3[\s\S]*漢字のログ/), 'l');
  await each('help', dash => dash.sees(/help +keys[\s\S]*Enter or →/), 'q', '?');
  await each('end of help', dash => dash.sees('quit: nothing stops'), 'G');
});

test('vi keys, the mouse, sorting, filtering and resizing, with another dashboard beside it', async () => {
  const [dash, other] = [world.open(120, 40), world.open(80, 24)];
  for (const each of [dash, other]) each.start();
  for (const each of [dash, other]) await each.sees(/part-3 +running/);
  const isOn = (name: string) =>
    until(
      () => selected(dash) === name,
      () => `${name} selected:\n${dash.screen()}`,
    );
  await isOn('agent-00');
  dash.keys('j', 'j');
  await isOn('right');
  dash.keys('k');
  await isOn('left');
  dash.keys('G');
  await isOn('part-0'); // done: the last but those that were skipped
  dash.keys('g');
  await isOn('agent-00');
  const at = (name: string) => dash.rows().findIndex(row => row.includes(`${name} `)) + 1;
  const mouse = (button: number, row: number) =>
    dash.keys('-l', `\u001b[<${button};9;${row}M\u001b[<${button};9;${row}m`);
  mouse(0, at('part-2'));
  await isOn('part-2');
  mouse(65, 5);
  await isOn('part-4'); // three rows further: part-3, the adopted pane, part-4
  mouse(64, 5);
  await isOn('part-2');
  mouse(0, at('part-2'));
  await dash.sees('its screen'); // a click on what is selected zooms
  dash.keys('Escape');
  await dash.sees(/part-3 +running/);
  dash.keys('o');
  await dash.sees('sorted by name');
  await dash.sees('AGENT▾');
  dash.keys('!');
  await until(
    () => !/part-\d/.test(dash.screen()) && /left +conflict/.test(dash.screen()),
    () => dash.screen(),
  );
  dash.keys('Escape');
  await dash.sees(/part-3 +running/);
  dash.keys('/', 'conflict', 'Enter');
  await until(
    () => !dash.screen().includes('agent-00') && dash.screen().includes('right'),
    () => dash.screen(),
  );
  dash.keys('Escape');
  await dash.sees(/part-3 +running/);
  for (const [cols, rows] of [
    [40, 12],
    [200, 50],
    [80, 24],
  ] as const) {
    dash.resize(cols, rows);
    await until(
      () => dash.rows().length === rows && /\? keys/.test(dash.rows().at(-1)!) && dash.rows()[0]!.includes('need you'),
      () => dash.screen(),
    );
    expectWhole(dash, cols, rows, 'resized');
  }
  expect(other.screen()).toMatch(/\?›ask +agent-00 +asks/); // the other one stands where it stood
});

// Its silence is believed after ten seconds only.
if (isFull)
  test('a silent watchdog is said, and taken back', async () => {
    const dash = world.open(80, 24);
    dash.start();
    await dash.sees('need you');
    crowd.quiet();
    await dash.sees('watchdog silent');
    crowd.beat();
    await until(
      () => !dash.screen().includes('watchdog silent'),
      () => dash.screen(),
    );
  });
