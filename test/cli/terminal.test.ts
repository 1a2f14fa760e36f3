// What a person sees and presses: the command line in a real terminal, which is a tmux of the test's own.

import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { cellWidth } from '../../src/text/cell-width.ts';
import { builtBin } from '../dashboard/dash-world.ts';
import { bin, makeCliWorld, patience, until, writes } from './cli-world.ts';

vi.setConfig(patience);
const world = makeCliWorld();
const socket = world.at('terminal');
const tmux = (...args: string[]) => spawnSync('tmux', ['-S', socket, '-f', '/dev/null', ...args], { encoding: 'utf8' });
afterAll(() => {
  tmux('kill-server');
  world.end();
});

// A terminal of that size that runs `baton <args>` and then keeps its last screen and its exit code.
function open(name: string, [columns, rows]: [number, number], args: readonly string[], more = {}) {
  const env = { ...world.env, TERM: 'screen-256color', ...more };
  const variables = Object.entries(env).flatMap(([key, value]) => ['-e', `${key}=${value}`]);
  const size = ['-x', String(columns), '-y', String(rows)];
  // Without the trap, Ctrl-C would end this shell as well.
  const line = `trap : INT; cd '${world.folder}' && '${process.execPath}' '${args.length === 0 || args[0] === 'demo' ? builtBin : bin}' ${args.join(' ')}; echo "ended with $?"; exec cat`;
  tmux('new-session', '-d', '-s', name, ...size, ...variables, '--', 'sh', '-c', line);
  const screen = (...options: string[]) => tmux('capture-pane', '-p', ...options, '-t', name).stdout.trimEnd();
  return {
    screen,
    press: (key: string) => tmux('send-keys', '-t', name, key),
    shows: (words: RegExp) =>
      until(
        () => words.test(screen()),
        () => `${words} in:\n${screen()}`,
      ),
  };
}

// A world of its own: session names of both are free, and each dashboard shows its own execution only.
const small = { BATON_RUNTIME_DIR: world.at('state'), BATON_STATE_DIR: world.at('state', 'own') };

test('the sample asks at 80x24 and at 40x12, does what is answered, lets one back in, and ends with its report', async () => {
  const wide = open('wide', [80, 24], ['demo']);
  const narrow = open('narrow', [40, 12], ['demo'], { ...small, NO_COLOR: '1' });
  await Promise.all([wide.shows(/frontend +asks/), narrow.shows(/frontend +asks/)]);
  expect(wide.screen('-e')).toContain('\u001b[36m');
  expect(narrow.screen('-e')).not.toContain('\u001b[3');
  wide.press('q');
  await wide.shows(/Enter opens the dashboard again/);
  wide.press('Enter');
  await wide.shows(/frontend +asks/);
  for (const terminal of [wide, narrow]) {
    terminal.press('g'); // where who asks stands; the cursor stays on whom it was before
    terminal.press('Enter');
  }
  await Promise.all([wide.shows(/2\. light/), narrow.shows(/It asks/)]);
  for (const terminal of [wide, narrow]) terminal.press('2');
  await Promise.all([wide.shows(/report +sample-/), narrow.shows(/report +sample-/)]);
  await wide.shows(/ 5 done/);
  for (const terminal of [wide, narrow]) {
    terminal.press('q'); // the report
    await terminal.shows(/its screen/);
    terminal.press('Escape');
  }
  await wide.shows(/✔.tester +done +#2 /);
  await wide.shows(/success {2}r shows its report/);
  await narrow.shows(/✔.tester +done/);
  for (const terminal of [wide, narrow]) terminal.press('q');
  await Promise.all([wide.shows(/ended with \d+/), narrow.shows(/ended with \d+/)]);
  expect(wide.screen()).toContain('THE MODEL IS A SCRIPT');
  expect(wide.screen('-J')).toMatch(/\nsuccess: .*, 5 done, .* 1 conflict resolved\nreport: (.*)\nended with 0$/);
  const [, report] = /\nreport: (.*)\n/.exec(wide.screen('-J'))!;
  expect(existsSync(report!)).toBe(true);
  const site = path.join(path.dirname(report!), 'merged', 'site');
  expect(readFileSync(path.join(site, 'config.ini'), 'utf8')).toContain('theme = light');
  expect(readFileSync(path.join(site, 'notes.md'), 'utf8')).toContain('The theme is light now');
  expect(narrow.screen('-J')).toMatch(/execution_report.json\nended with 0$/);
}, 200_000); // two samples at once, on a machine that does other things too

test('at 40x12 without colours a run shows its agents in lines that never wrap, and ends with its verdict', async () => {
  const wait = (file: string) =>
    `echo "漢字 👩‍👩‍👧 ${'long '.repeat(20)}"; until [ -e "${world.at(file)}" ]; do sleep 0.1; done; ${writes}`;
  const agents = Array.from({ length: 12 }, (_, at) => ({
    name: `worker-with-a-long-name-${at}`,
    script: wait('small-go'),
  }));
  const file = world.request('small', agents, { execution_options: { max_retries: 0, parallel_limit: 2 } });
  const terminal = open('small', [40, 12], ['run', file], { NO_COLOR: '1' });
  await terminal.shows(/^small .*2 running/m);
  await terminal.shows(/▶ worker-\S+ +running/);
  await terminal.shows(/… 5 more waiting|… \d+ more/);
  const shown = terminal.screen().split('\n');
  expect(shown.length).toBeLessThanOrEqual(12);
  for (const line of shown) expect(cellWidth(line)).toBeLessThan(40);
  expect(shown.filter(line => /^small .*running/.test(line))).toHaveLength(1); // redrawn in place, not again and again
  expect(shown.filter(line => /^[▶·] worker/.test(line)).length).toBeGreaterThan(5);
  expect(terminal.screen('-e')).not.toContain('\u001b[3');
  writeFileSync(world.at('small-go'), '');
  await terminal.shows(/execution_report.json\nended with 0$|ended with 0$/);
  expect(terminal.screen('-J')).toMatch(/success: small, 12 done/);
});

test('alone it opens the dashboard on a terminal, and prints its help into a pipe', async () => {
  const terminal = open('alone', [80, 24], [], { BATON_STATE_DIR: world.at('state', 'none') });
  await terminal.shows(/nobody needs you[\s\S]*no execution yet[\s\S]*\? keys {2}q quit/);
  terminal.press('q');
  await terminal.shows(/ended with 0$/);
  const piped = await world.run();
  expect(piped).toMatchObject({ code: 0, stderr: '' });
  expect(piped.stdout).toMatch(/^ +dashboard .*\n +run /m);
});

test('Ctrl-C cancels, and says what a second one does', async () => {
  const file = world.request('once', [{ name: 'lingerer', script: 'sleep 30' }]);
  const terminal = open('once', [80, 24], ['run', file]);
  await terminal.shows(/▶ lingerer +running/);
  terminal.press('C-c');
  await terminal.shows(/ended with 130/);
  expect(terminal.screen('-J')).toContain('Ctrl-C again leaves at once');
  expect(terminal.screen()).toMatch(/✖ lingerer +failed .* cancelled/);
  expect(world.report('once').status).toBe('cancelled');
});

test('Ctrl-C twice leaves at once, the agent goes on, and resume picks the execution up', async () => {
  const script = `trap '' TERM HUP; echo ready; for i in 1 2 3 4 5 6 7 8 9 10 11 12; do sleep 0.4; done; ${writes}`;
  const terminal = open('twice', [80, 24], ['run', world.request('twice', [{ name: 'stubborn', script }])]);
  await terminal.shows(/▶ stubborn +running .* ready/);
  terminal.press('C-c');
  await terminal.shows(/it is being stopped/);
  await new Promise(resolve => setTimeout(resolve, 300)); // closer together they count as one press
  terminal.press('C-c');
  await terminal.shows(/left: agents go on in tmux. To pick them up: baton resume twice\nended with 130/);
  expect(existsSync(world.at('twice', 'ws', 'execution_report.json'))).toBe(false);
  expect((await world.run('status', 'twice')).stdout).toContain('no engine is running; to go on: baton resume twice');
  expect((await world.run('resume', 'twice')).code).toBe(130);
  expect(world.report('twice').agents[0].attempts).toHaveLength(1);
});

test('clean asks first, and Ctrl-C, Ctrl-D and "n" remove nothing', async () => {
  expect((await world.run('run', world.request('old', [{ name: 'done', script: writes }]), '-q')).code).toBe(0);
  const log = world.at('old', 'ws', 'logs', 'done', 'stdout.log');
  for (const [key, ending] of [
    ['C-c', 130],
    ['C-d', 130],
    ['n', 0],
  ] as const) {
    const terminal = open(`clean-${key}`, [80, 24], ['clean', '--older-than', '0']);
    await terminal.shows(/old {2}ended .*[\s\S]*\[y\/N\]/);
    terminal.press(key);
    if (key === 'n') terminal.press('Enter');
    await terminal.shows(/nothing was removed[\s\S]*ended with \d+/);
    expect(terminal.screen()).toMatch(new RegExp(`ended with ${ending}$`));
    expect(existsSync(log)).toBe(true);
  }
  const terminal = open('clean-y', [80, 24], ['clean', '--older-than', '0']);
  await terminal.shows(/\[y\/N\]/);
  terminal.press('y');
  terminal.press('Enter');
  await terminal.shows(/cleaned \d+ executions?: [\s\S]*ended with 0/);
  expect(existsSync(log)).toBe(false);
  expect(readFileSync(world.at('old', 'ws', 'merged', 'done.txt'), 'utf8')).toBe('by done\n');
});

test('an attached session has the size of the terminal, and its own again when the person is gone, even by a kill', async () => {
  const wait = 'until [ -e "$BATON_WORKSPACE/go" ]; do sleep 0.1; done';
  const file = world.request('sized', [{ name: 'painter', script: `echo hello; ${wait}; ${writes}` }]);
  const { said, ended } = world.start(['run', file]);
  await until(() => said.stdout.includes('painter: started'), 'the agent starts');
  const own = world.at('run', 'tmux.sock');
  const ask = (format: string) =>
    spawnSync('tmux', ['-S', own, 'list-windows', '-a', '-F', `#{session_name} ${format}`], { encoding: 'utf8' })
      .stdout;
  const size = () => /^painter-\S+ (.*)$/m.exec(ask('#{window_width}x#{window_height}'))?.[1];
  const is = (wanted: string) =>
    until(
      () => size() === wanted,
      () => `${wanted}, not ${size()}`,
    );
  await is('200x50');
  const looking = open('looking', [80, 24], ['attach', 'painter', '-r']);
  await looking.shows(/hello[\s\S]*baton · painter-/);
  expect(size()).toBe('200x50');
  const typing = open('typing', [60, 20], ['attach', 'painter']);
  await typing.shows(/hello[\s\S]*baton · painter-/);
  await is('60x19');
  typing.press('C-q');
  await typing.shows(/ended with 0/);
  await is('200x50');
  open('again', [100, 30], ['attach', 'painter']);
  await is('100x29');
  tmux('kill-session', '-t', 'again');
  await is('200x50');
  writeFileSync(world.at('sized', 'ws', 'go'), '');
  expect((await ended).code).toBe(0);
});

test('attach works from inside of another tmux, can be left, and the printed plain command is the same', async () => {
  const wait = 'until [ -e "$BATON_WORKSPACE/go" ]; do sleep 0.1; done';
  const file = world.request('look', [{ name: 'speaker', script: `echo hello from inside; ${wait}; ${writes}` }]);
  const { said, ended } = world.start(['run', file]);
  await until(() => said.stdout.includes('speaker: started'), 'the agent starts');
  const terminal = open('inside', [80, 24], ['attach', 'speaker', '-r']);
  await terminal.shows(/hello from inside[\s\S]*baton · speaker-/);
  terminal.press('C-b');
  terminal.press('d');
  await terminal.shows(/ended with 0/);
  const plain = (await world.run('attach', 'look/speaker')).stdout;
  expect(plain).toMatch(/^tmux -S \S+\/run\/tmux\.sock -u attach-session -t '=speaker-\d{8}-\d{4}'\n$/);
  writeFileSync(world.at('look', 'ws', 'go'), '');
  expect((await ended).code).toBe(0);
  expect(await world.run('attach', 'speaker')).toMatchObject({
    code: 6,
    stderr: expect.stringContaining('baton logs'),
  });
  expect(readFileSync(world.at('look', 'ws', 'merged', 'speaker.txt'), 'utf8')).toBe('by speaker\n');
});
