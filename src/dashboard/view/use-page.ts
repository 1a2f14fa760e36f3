// The text of the open page: what its command says, as it says it.

import { useEffect, useReducer, useRef } from 'react';
import { openPage, type Page } from '../feed/open-page.ts';
import { helpLines } from '../model/help-lines.ts';
import type { Pager } from '../model/ui.ts';

// Another command opens another page, e.g. of the next conflict when one was decided.
export function usePage(pager: Pager | null, words: readonly string[], width: number): readonly string[] {
  const page = useRef<{ argv: string; text: Page } | null>(null);
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const argv = words.join('\u0000');
  useEffect(() => {
    if (argv === '') return;
    const opened = openPage(argv.split('\u0000'), width - 1, redraw); // each line stands behind a space
    page.current = { argv, text: opened };
    return () => {
      opened.close();
      page.current = null;
    };
  }, [argv, width]);
  if (pager?.kind === 'help') return helpLines(width - 2);
  // Never the words of another page under this title.
  return page.current?.argv === argv ? page.current.text.lines() : [];
}
