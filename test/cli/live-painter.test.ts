import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import type { Screen } from '../../src/cli/command-spec.ts';
import { startLivePainter } from '../../src/cli/live-painter.ts';
import { colourless } from '../../src/text/paint.ts';
import { START, toRunning, toStatus } from './sample-status.ts';

function makeScreen(): { screen: Screen; written: () => string } {
  const stream = new PassThrough();
  let text = '';
  stream.on('data', chunk => {
    text += chunk;
  });
  const screen = { stream: stream as never, isTerminal: true, width: () => 80, height: () => 24, paint: colourless };
  return { screen, written: () => text };
}

test('hides the cursor, redraws in place, and gives the cursor back', async () => {
  const before = process.listenerCount('exit');
  const { screen, written } = makeScreen();
  const painter = startLivePainter(screen, () => START);
  painter.show(toStatus([toRunning('a', 'first')]));
  painter.say('a line that stays');
  painter.show(toStatus([toRunning('a', 'second')]));
  painter.stop();
  await expect.poll(written).toContain('\u001b[?25h');
  expect(written().startsWith('\u001b[?25l')).toBe(true);
  const [, second] = written().split('\u001b[2A\u001b[J');
  expect(written()).toContain('a line that stays\nexec-1');
  expect(second).toContain('second');
  expect(process.listenerCount('exit')).toBe(before);
});

test('draws nothing when nothing changed', async () => {
  const { screen, written } = makeScreen();
  const painter = startLivePainter(screen, () => START);
  painter.show(toStatus([toRunning('a', 'same')]));
  painter.say('x');
  painter.show(toStatus([toRunning('a', 'same')]));
  painter.stop();
  await expect.poll(written).toContain('\u001b[?25h');
  expect(written().match(/same/g)).toHaveLength(1);
});
