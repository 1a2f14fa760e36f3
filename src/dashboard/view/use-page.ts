// The text of the open page: what its command says, as it says it.

import { useEffect, useReducer, useRef } from 'react';
import { openPage, type Page } from '../feed/open-page.ts';
import { helpLines } from '../model/footer-line.ts';
import type { Pager } from '../model/ui.ts';

// A new edition of what it is about opens it again, e.g. when one of several conflicts was decided.
export function usePage(pager: Pager | null, width: number, edition: string): readonly string[] {
  const page = useRef<Page | null>(null);
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const argv = pager === null ? '' : pager.argv.join('\u0000');
  // biome-ignore lint/correctness/useExhaustiveDependencies: another edition is the reason to read again
  useEffect(() => {
    if (argv === '') return;
    const opened = openPage(argv.split('\u0000'), width, redraw);
    page.current = opened;
    return () => {
      opened.close();
      page.current = null;
    };
  }, [argv, width, edition]);
  if (pager?.kind === 'help') return helpLines;
  return page.current?.lines() ?? [];
}
