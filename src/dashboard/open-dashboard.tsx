// Opens the dashboard on this terminal and gives the terminal back as it was, however it ends: q, a signal,
// Ctrl-Z and fg, another program in between. kill -9 is tidied up by the guard.

import { once } from 'node:events';
import { render } from 'ink';
import type { Paint } from '../text/paint.ts';
import { openFeed } from './feed/open-feed.ts';
import { forgetRuns, runBaton, spawnAttach } from './feed/run-baton.ts';
import { type TellEvent, tellNeeds } from './feed/tell-needs.ts';
import type { Pointed } from './model/point-at.ts';
import type { Message, Ui } from './model/ui.ts';
import { keepFocus } from './terminal/focus.ts';
import { openKeyboard } from './terminal/keyboard.ts';
import { makeLineGlyphs, throughGlyphs } from './terminal/line-glyphs.ts';
import { guardTerminal, MODES_OFF, MODES_ON } from './terminal/modes.ts';
import { suspendJob } from './terminal/suspend-job.ts';
import { Dashboard, type Hands, type News } from './view/Dashboard.tsx';
import { TerminalLoan } from './view/TerminalLoan.tsx';

export type DashboardOptions = {
  paint: Paint;
  first?: Partial<Ui>;
  until?: Promise<News>;
  onEvent?: TellEvent; // what may need a person who looks elsewhere
};

export async function openDashboard({ paint, first, until, onEvent }: DashboardOptions): Promise<void> {
  const { stdin, stdout } = process;
  const feed = openFeed();
  const untold = onEvent === undefined ? () => {} : tellNeeds(feed, onEvent);
  const focus = keepFocus();
  const pointers = new Set<(at: Pointed) => void>();
  const keyboard = openKeyboard(stdin, {
    pointed: at => {
      for (const listener of pointers) listener(at);
    },
    focused: focus.set,
  });
  const release = guardTerminal(stdout);
  const glyphs = makeLineGlyphs();
  const loan = { lend: async (use: () => Promise<void>): Promise<void> => use() };

  // The terminal is somebody else's for a while: another program's, or the shell's.
  const lend = (use: () => Promise<void>) =>
    loan.lend(async () => {
      stdout.write(MODES_OFF);
      focus.set(false);
      try {
        await use();
      } finally {
        focus.set(true);
        stdout.write(MODES_ON);
      }
    });
  const hands: Hands = {
    run: runBaton,
    attach: async argv => {
      let message: Message | null = null;
      await lend(async () => {
        const child = spawnAttach(argv);
        const [code] = (await once(child, 'exit').catch(() => [1])) as [number | null];
        if (code !== 0) message = { text: `${argv.join(' ')} ended with ${code ?? 'a signal'}`, kind: 'bad' };
      });
      return message;
    },
    suspend: async () => ((await suspendJob(lend)) ? null : { text: 'there is no shell to go back to', kind: 'bad' }),
    redraw: () => void lend(async () => {}),
    onPointed: listener => {
      pointers.add(listener);
      return () => pointers.delete(listener);
    },
  };

  // Asked to from outside: the others of the job have stopped by themselves.
  const suspended = () =>
    void lend(async () => {
      const woken = once(process, 'SIGCONT');
      process.kill(process.pid, 'SIGSTOP');
      await woken;
    });
  const app = render(
    <TerminalLoan take={lender => (loan.lend = lender)}>
      <Dashboard
        feed={feed}
        hands={hands}
        paint={paint}
        toNodes={glyphs.take}
        {...(first === undefined ? {} : { first })}
        {...(until === undefined ? {} : { until })}
      />
    </TerminalLoan>,
    {
      stdin: keyboard as unknown as NodeJS.ReadStream,
      stdout: throughGlyphs(stdout, glyphs),
      interactive: true,
      alternateScreen: true,
      incrementalRendering: true,
      exitOnCtrlC: false,
      patchConsole: false,
      maxFps: 30,
    },
  );
  stdout.write(MODES_ON);
  const end = () => app.unmount();
  const signals = ['SIGTERM', 'SIGHUP', 'SIGINT'] as const;
  for (const name of signals) process.on(name, end);
  process.on('SIGTSTP', suspended);
  try {
    await app.waitUntilExit();
  } finally {
    stdout.write(MODES_OFF);
    for (const name of signals) process.off(name, end);
    process.off('SIGTSTP', suspended);
    untold();
    feed.close();
    forgetRuns();
    focus.close();
    release();
    stdin.pause();
  }
}
