// Everything about the one agent that is looked at, read again when its execution changes; nothing otherwise.

import { useEffect, useState } from 'react';
import { type Follow, followDetail } from '../feed/follow-detail.ts';
import type { Detail } from '../model/detail.ts';
import type { Seen } from '../model/seen.ts';
import type { Ui } from '../model/ui.ts';

export function useDetail(ui: Ui, seen: Seen): Detail | null {
  const [detail, setDetail] = useState<Detail | null>(null);
  const [follow, setFollow] = useState<Follow | null>(null);
  const key = ui.zoom === 'agent' ? ui.selected : null;
  useEffect(() => {
    setDetail(null);
    if (key === null) return;
    const opened = followDetail(key, setDetail);
    setFollow(opened);
    return () => {
      opened.close();
      setFollow(null);
    };
  }, [key]);
  useEffect(() => follow?.look(seen), [follow, seen]);
  return detail;
}
