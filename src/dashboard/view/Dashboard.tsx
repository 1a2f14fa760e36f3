// The whole screen: a header, what is looked at, and the line of keys. Decides nothing: the model says what a key
// means and what is shown, the hands do it.

import { useApp } from 'ink';
import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import type { Paint } from '../../text/paint.ts';
import type { Feed } from '../feed/open-feed.ts';
import { conflictAt, pageArgv } from '../model/conflict-at.ts';
import { footerLines, saidLines } from '../model/footer-line.ts';
import { headerLine } from '../model/header-line.ts';
import { commandEnded } from '../model/hold-told.ts';
import { pressKey } from '../model/keys.ts';
import { pointAt } from '../model/point-at.ts';
import { type Body, buildScreen, emptyBody } from '../model/screen.ts';
import { rowsOf, settleUi } from '../model/settle-ui.ts';
import type { Message, Pager, Ui, Wish } from '../model/ui.ts';
import { firstUi } from '../model/ui.ts';
import type { Pointed } from '../terminal/keyboard.ts';
import { Lines } from './Lines.tsx';
import { useDetail } from './use-detail.ts';
import { useKeys } from './use-keys.ts';
import { useNow } from './use-now.ts';
import { usePage } from './use-page.ts';
import { useSize } from './use-size.ts';

export type Hands = {
  run(argv: readonly string[], label: string): Promise<Message>;
  attach(argv: readonly string[]): Promise<Message | null>;
  suspend(): Promise<Message | null>;
  redraw(): void;
  onPointed(listener: (at: Pointed) => void): () => void;
};
// Something to tell when it comes true, and a page that then opens unless somebody is in the middle of something.
export type News = { text: string; pager: Pager };
export type DashboardProps = {
  feed: Feed;
  hands: Hands;
  paint: Paint;
  first?: Partial<Ui>;
  until?: Promise<News>;
  toNodes?: (lines: readonly string[]) => readonly string[]; // see terminal/line-glyphs.ts
};

export function Dashboard({ feed, hands, paint, first, until, toNodes }: DashboardProps) {
  const { exit } = useApp();
  const seen = useSyncExternalStore(feed.subscribe, feed.seen);
  const { width, height } = useSize();
  const now = useNow(seen);
  const [held, setUi] = useState<Ui>({ ...firstUi, ...first });
  const settle = (at: Ui, by: 'person' | 'world') => settleUi(at, rowsOf(seen, at, now), { at: Date.now(), by });
  const ui = settle(held, 'world');
  if (ui !== held) setUi(ui); // what was settled once stays, however the rows change
  const page = usePage(ui.pager, pageArgv(ui.pager, conflictAt(ui.pager, seen)), width);
  const said = saidLines(ui, { width, height });
  const body = height - 1 - Math.max(1, said.length);
  const detail = useDetail(ui, seen);
  const build = (at: Ui) => buildScreen({ seen, ui: at, now, page, detail, width, height: body, paint });
  const screen = build(ui);
  const latest = useRef({ ui, screen: emptyBody, build, settle });
  latest.current = { ui, screen, build, settle };

  const fulfil = useCallback(
    (wish: Wish) => {
      const tell = (message: Message | null) => setUi(before => ({ ...before, message }));
      switch (wish.do) {
        case 'run':
          void hands.run(wish.argv, wish.label).then(message => {
            setUi(before => commandEnded(before, wish, message));
            feed.refresh();
          });
          return;
        case 'attach':
          void hands.attach(wish.argv).then(tell);
          return;
        case 'suspend':
          void hands.suspend().then(tell);
          return;
        case 'redraw':
          return hands.redraw();
        case 'quit':
          return exit();
        case 'open':
          return; // the page opens with the state that names it
      }
    },
    [hands, feed, exit],
  );
  const change = useCallback(
    (step: (ui: Ui, screen: Body) => { ui: Ui; wishes: readonly Wish[] }) => {
      const { ui: wanted, wishes } = step(latest.current.ui, latest.current.screen);
      const next = latest.current.settle(wanted, 'person');
      // Several keys may come before the next frame; each means what the screen after the one before it would say.
      latest.current = { ...latest.current, ui: next, screen: latest.current.build(next) };
      setUi(next);
      for (const wish of wishes) fulfil(wish);
    },
    [fulfil],
  );
  useKeys(key => change((at, shown) => pressKey(at, key, shown.screen, Date.now())));
  const { message } = ui;
  useEffect(() => {
    if (message === null) return;
    const forget = () => setUi(before => (before.message === message ? { ...before, message: null } : before));
    const timer = setTimeout(forget, message.kind === 'bad' ? 20_000 : 10_000);
    return () => clearTimeout(timer);
  }, [message]);
  useEffect(() => {
    void until?.then(({ text, pager }) =>
      setUi(before => {
        const isBusy = before.pager !== null || before.entry !== null || before.confirm !== null;
        return { ...before, message: { text, kind: 'good' }, ...(isBusy ? {} : { pager }) };
      }),
    );
  }, [until]);
  useEffect(() => hands.onPointed(at => change((before, shown) => pointAt(before, at, shown))), [hands, change]);

  const lines = [
    headerLine(seen, screen.screen.all, { now, width, paint }),
    ...Array.from({ length: body }, (_, at) => screen.lines[at] ?? ''),
    ...footerLines(ui, said, screen, { width, paint }),
  ];
  return <Lines lines={toNodes?.(lines) ?? lines} />;
}
