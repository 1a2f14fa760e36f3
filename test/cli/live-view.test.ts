import { expect, test } from 'vitest';
import { liveLines } from '../../src/cli/live-view.ts';
import { cellWidth } from '../../src/text/cell-width.ts';
import { colourful, colourless } from '../../src/text/paint.ts';
import { claude } from '../dashboard/seen-world.ts';
import { START, toAgent, toRunning, toStatus } from './sample-status.ts';

const frame = (width: number, height = 24) => ({ width, height, now: START + 65_000, paint: colourless });
const HOSTILE = '\u001b[2J\u001b]0;title\u0007\u009b31m漢字漢字\r\n\u202eevil\u0000 👩‍👩‍👧 '.repeat(20);

test('one line an agent: sign, name, state, attempt, time, last line', () => {
  const agents = [
    { ...toRunning('code-generator', 'writing 漢字.ts'), attempt: 2 },
    toAgent('review', { note: 'waits for code-generator' }),
    toAgent('docs', {
      status: 'failure',
      attempt: 1,
      start_time: '2026-01-02T10:00:00Z',
      end_time: '2026-01-02T10:00:09Z',
      note: 'exit code 1',
      last_line: 'bye',
    }),
  ];
  expect(liveLines(toStatus(agents), frame(80))).toEqual([
    'exec-1  execute  1:05  1 running, 1 failed, 1 waiting',
    '▶ code-generator running   #2     1:05               writing 漢字.ts',
    '· review         waiting                             waits for code-generator',
    '✖ docs           failed           0:09               exit code 1',
  ]);
});

test.each([200, 80, 40, 20, 5, 1])('at %i columns no line is wider, whatever agents print', width => {
  const agents = [toRunning('a'.repeat(64), HOSTILE), toRunning('b', HOSTILE), toAgent('c', { note: HOSTILE })];
  const lines = liveLines(toStatus(agents, { note: HOSTILE }), frame(width));
  expect(lines).toHaveLength(5);
  for (const line of lines) {
    expect(cellWidth(line)).toBeLessThanOrEqual(width);
    expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e]/);
  }
});

test('a wide screen shows more of the last line', () => {
  const status = toStatus([toRunning('a', 'x'.repeat(500))]);
  const shown = (width: number) => liveLines(status, frame(width))[1]!.length;
  expect([shown(200), shown(80)]).toEqual([200, 80]);
});

test('at 40 columns name and state are still there', () => {
  const [, line] = liveLines(toStatus([toRunning('code-generator', 'x'.repeat(99))]), frame(40));
  expect(line).toContain('▶ code-generator running');
});

test('with more agents than rows, what runs and what failed comes first', () => {
  const waiting = Array.from({ length: 30 }, (_, n) => toAgent(`w${n}`));
  const agents = [...waiting, toRunning('runs'), toAgent('broke', { status: 'failure', attempt: 1 })];
  const lines = liveLines(toStatus(agents), frame(80, 10));
  expect(lines).toHaveLength(8);
  expect(lines.join('\n')).toMatch(/runs.*\n.*broke/);
  expect(lines.at(-1)).toBe('… 26 more waiting');
});

test('what is hidden is counted by state when it is mixed', () => {
  const agents = [
    ...Array.from({ length: 9 }, (_, n) => toAgent(`w${n}`)),
    ...Array.from({ length: 3 }, (_, n) => toAgent(`d${n}`, { status: 'success', attempt: 1 })),
  ];
  expect(liveLines(toStatus(agents), frame(80, 10)).at(-1)).toBe('… 6 more: 3 waiting, 3 done');
});

test('a paused execution and one that is held back say so', () => {
  const lines = liveLines(toStatus([toAgent('a')], { paused: true, note: 'too little free disk' }), frame(80));
  expect(lines[0]).toContain('exec-1  paused');
  expect(lines.at(-1)).toBe('held back: too little free disk');
});

test('colours change nothing but colours', () => {
  const status = toStatus([toRunning('a', HOSTILE), toAgent('b')]);
  const painted = liveLines(status, { ...frame(80), paint: colourful }).join('\n');
  expect(painted).toContain('\u001b[');
  expect(painted.replaceAll(/\u001b\[\d+m/g, '')).toBe(liveLines(status, frame(80)).join('\n'));
});

test('who asks stands first and is called so, with its options and the command that answers', () => {
  const question = {
    kind: 'question' as const,
    title: 'Look\nWhich look?',
    options: [
      { number: 1, label: 'dark' },
      { number: 2, label: '\u001b[2Jlight' },
    ],
    digest: 'd',
    asked_at: '2026-01-02T10:00:00Z',
  };
  const asker = { ...toRunning('asker', 'noise'), claude: claude({ state: 'question', question }) };
  const agents = [toRunning('other'), asker, { ...toRunning('login'), claude: claude({ state: 'login' }) }];
  const lines = liveLines(toStatus(agents), frame(100));
  expect(lines[0]).toContain('1 asks, 1 stuck, 1 running');
  expect(lines[1]).toMatch(/^\? asker +asks .* 40k \$0\.50 .*Which look\?$/);
  expect(lines[2]).toBe('    1 dark · 2 light · baton answer exec-1/asker <number>');
  expect(lines[3]).toMatch(/^! login +stuck .*its screen: login$/);
  expect(lines[4]).toMatch(/^▶ other +running/);
  expect(liveLines(toStatus(agents), { ...frame(100), height: 4 }).join('\n')).toMatch(
    /asker[\s\S]*2 more: 1 stuck, 1 running/,
  );
});

test('the step of a handoff is told where it runs', () => {
  const agent = { ...toRunning('a', 'noise'), pane: '%3', claude: claude({}) };
  const [, line] = liveLines(toStatus([agent]), { ...frame(100), steps: new Map([['%3', 'writing']]) });
  expect(line).toMatch(/^⇄ a +handoff .* handoff: writing$/);
});
