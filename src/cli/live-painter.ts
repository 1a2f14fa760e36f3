// Keeps the live block on the terminal up to date: redrawn in place, at most four times a second.
// What the lines say is decided in live-view.ts.

import type { Status } from '../protocol/status.ts';
import { cellWidth } from '../text/cell-width.ts';
import { colourless } from '../text/paint.ts';
import { followHandoffSteps, type HandoffSteps } from '../watching/handoff-steps.ts';
import type { Screen } from './command-spec.ts';
import { liveLines } from './live-view.ts';

const REDRAW_MS = 250;
const HIDE_CURSOR = '\u001b[?25l';
const SHOW_CURSOR = '\u001b[?25h';
const CLEAR_BELOW = '\u001b[J';

export type LivePainter = {
  show: (status: Status) => void;
  say: (line: string) => void; // a line that stays, above the block
  stop: () => void; // draws the last state and gives the cursor back
};

export function startLivePainter(screen: Screen, now: () => number = Date.now): LivePainter {
  let status: Status | null = null;
  let steps: HandoffSteps = new Map();
  let drawnWidths: number[] = [];
  let drawnText = '';
  const { stream } = screen;

  // A terminal that became narrower has broken our lines in two, so rows are counted anew.
  const wayUp = () => {
    const rows = drawnWidths.reduce((sum, width) => sum + Math.max(1, Math.ceil(width / screen.width())), 0);
    return rows === 0 ? '\r' : `\r\u001b[${rows}A`;
  };
  const draw = (above = '') => {
    if (status === null) {
      if (above !== '') stream.write(above);
      return;
    }
    // One column stays free: writing into the last one makes some terminals wrap.
    const size = { width: screen.width() - 1, height: screen.height(), now: now(), steps };
    const text = liveLines(status, { ...size, paint: screen.paint }).join('\n');
    if (text === drawnText && above === '') return;
    stream.write(`${wayUp()}${CLEAR_BELOW}${above}${text}\n`);
    drawnWidths = liveLines(status, { ...size, paint: colourless }).map(cellWidth);
    drawnText = text;
  };

  const giveCursorBack = () => stream.write(SHOW_CURSOR);
  process.once('exit', giveCursorBack);
  stream.write(HIDE_CURSOR);
  const timer = setInterval(draw, REDRAW_MS, '').unref();
  const unfollow = followHandoffSteps(next => {
    steps = next;
  });
  return {
    show: next => {
      status = next;
    },
    say: line => draw(`${line}\n`),
    stop: () => {
      clearInterval(timer);
      unfollow();
      draw();
      stream.write(`\r${CLEAR_BELOW}`); // the terminal shows a pressed Ctrl-C here
      process.off('exit', giveCursorBack);
      giveCursorBack();
    },
  };
}
