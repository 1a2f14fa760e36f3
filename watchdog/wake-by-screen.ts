// Rings when the status line of a pane without hooks goes over its threshold: tmux looks, so nobody has to fork for it.

import { openPane } from '../src/tmux/pane-door.ts';
import { type ScreenWatch, watchScreens } from '../src/tmux/watch-screens.ts';
import type { WatchedPane } from './watched-pane.ts';

export type ScreenBell = { over(tokens: number): Promise<void>; close(): void };

export function wakeByScreen({ identity }: WatchedPane, ring: () => void): ScreenBell {
  let watch: { over: number; client: ScreenWatch | null } | null = null;
  return {
    // Asked for again with another figure it begins anew; where tmux gives no client, the sweep has to do.
    async over(tokens) {
      if (watch?.over === tokens) return;
      watch?.client?.close();
      watch = { over: tokens, client: null };
      const view = await openPane(identity).look();
      if (view === null) return;
      const onChange = (pane: string) => pane === identity.pane && ring();
      watch.client = await watchScreens(identity.socket, view.session, { over: tokens, onChange }).catch(() => null);
    },
    close: () => watch?.client?.close(),
  };
}
