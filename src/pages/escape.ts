// Text of agents on its way into a page: free of control characters, then harmless to the language of the page.

import { plainText } from '../files/plain-text.ts';

const LONGEST = 4000; // a page is for reading; the whole text is in the report

export const clean = (text: string, max = LONGEST): string => plainText(text, { max });

export const html = (text: string, max = LONGEST): string =>
  clean(text, max)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');

// Markdown lets HTML, links, pictures and tables through: each begins with one of these.
export const markdown = (text: string, max = LONGEST): string =>
  clean(text, max)
    .trim()
    .replace(/[\\`*_[\]<>|~#!&]/g, '\\$&')
    .replace(/^(\s*)(\d+)([.)])/, '$1$2\\$3')
    .replace(/^(\s*)([-+=])/, '$1\\$2')
    .replace(/(https?|ftp|mailto|www)([:.])/gi, '$1\\$2');
