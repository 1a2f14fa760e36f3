// The text of the open page: what its command says, as it says it.

import { useEffect, useReducer, useRef } from 'react';
import { openPage, type Page } from '../feed/open-page.ts';
import { helpLines } from '../model/footer-line.ts';
import type { Pager } from '../model/ui.ts';

export function usePage(pager: Pager | null, width: number): readonly string[] {
  const page = useRef<Page | null>(null);
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const argv = pager === null ? '' : pager.argv.join('\u0000');
  useEffect(() => {
    if (argv === '') return;
    const opened = openPage(argv.split('\u0000'), width, redraw);
    page.current = opened;
    return () => {
      opened.close();
      page.current = null;
    };
  }, [argv, width]);
  if (pager?.kind === 'help') return helpLines;
  return page.current?.lines() ?? [];
}
