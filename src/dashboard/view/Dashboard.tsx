// The whole screen: a header, what is looked at, and the line of keys. Decides nothing: the model says what a key
// means and what is shown, the hands do it.

import { useApp } from 'ink';
import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import type { Paint } from '../../text/paint.ts';
import type { Feed } from '../feed/open-feed.ts';
import { footerLine } from '../model/footer-line.ts';
import { headerLine } from '../model/header-line.ts';
import { pressKey } from '../model/keys.ts';
import { pointAt } from '../model/point-at.ts';
import { type Body, buildScreen, emptyBody } from '../model/screen.ts';
import type { Seen } from '../model/seen.ts';
import type { Message, Ui, Wish } from '../model/ui.ts';
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
  suspend(): void;
  redraw(): void;
  onPointed(listener: (at: Pointed) => void): () => void;
};
export type DashboardProps = {
  feed: Feed;
  hands: Hands;
  paint: Paint;
  first?: Partial<Ui>;
  until?: Promise<string>;
  toNodes?: (lines: readonly string[]) => readonly string[]; // see terminal/line-glyphs.ts
};

export function Dashboard({ feed, hands, paint, first, until, toNodes }: DashboardProps) {
  const { exit } = useApp();
  const seen = useSyncExternalStore(feed.subscribe, feed.seen);
  const { width, height } = useSize();
  const now = useNow(seen);
  const [ui, setUi] = useState<Ui>({ ...firstUi, ...first });
  const page = usePage(ui.pager, width, editionOf(ui, seen));
  const body = height - 2;
  const detail = useDetail(ui, seen);
  const screen = buildScreen({ seen, ui, now, page, detail, width, height: body, paint });
  const latest = useRef<{ ui: Ui; screen: Body }>({ ui, screen: emptyBody });
  latest.current = { ui, screen };

  const fulfil = useCallback(
    (wish: Wish) => {
      const tell = (message: Message | null) => setUi(before => ({ ...before, message }));
      switch (wish.do) {
        case 'run':
          void hands.run(wish.argv, wish.label).then(message => {
            tell(message);
            feed.refresh();
          });
          return;
        case 'attach':
          void hands.attach(wish.argv).then(tell);
          return;
        case 'suspend':
          return hands.suspend();
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
      const { ui: next, wishes } = step(latest.current.ui, latest.current.screen);
      latest.current = { ...latest.current, ui: next }; // several keys may come before the next frame
      setUi(next);
      for (const wish of wishes) fulfil(wish);
    },
    [fulfil],
  );
  useKeys(key => change((at, shown) => pressKey(at, key, shown.screen)));
  const { message } = ui;
  useEffect(() => {
    if (message === null) return;
    const forget = () => setUi(before => (before.message === message ? { ...before, message: null } : before));
    const timer = setTimeout(forget, message.kind === 'bad' ? 20_000 : 10_000);
    return () => clearTimeout(timer);
  }, [message]);
  useEffect(() => {
    void until?.then(text => setUi(before => ({ ...before, message: { text, kind: 'good' } })));
  }, [until]);
  useEffect(() => hands.onPointed(at => change((before, shown) => pointAt(before, at, shown))), [hands, change]);

  const lines = [
    headerLine(seen, screen.all, { now, width, paint }),
    ...Array.from({ length: body }, (_, at) => screen.lines[at] ?? ''),
    footerLine(ui, screen.selected, { width, paint }),
  ];
  return <Lines lines={toNodes?.(lines) ?? lines} />;
}

function editionOf({ pager }: Ui, { executions }: Seen): string {
  if (pager?.kind !== 'conflicts') return '';
  const conflicts = executions.find(({ id }) => id === pager.title)?.conflicts ?? [];
  return conflicts.map(({ id }) => id).join(' ');
}
