// The keys of an open page: logs, a diff, conflicts, a report, help. Pure.

import { plainText } from '../../files/plain-text.ts';
import type { Screen, Step } from './keys.ts';
import type { Pager, Ui, Wish } from './ui.ts';
import { hasWords } from './wrap-page.ts';

export function pageKey(ui: Ui, key: string, screen: Screen): Step {
  const pager = ui.pager!;
  const show = (next: Partial<Pager>): Step => ({ ui: { ...ui, pager: { ...pager, ...next } }, wishes: [] });
  const bottom = Math.max(0, screen.lines - screen.page);
  const top = pager.isFollowing ? bottom : Math.min(pager.top, bottom);
  const from = pager.isFollowing ? bottom : pager.top; // a find near the end stands below the top that is shown
  const to = (line: number): Step => show({ top: Math.max(0, Math.min(bottom, line)), isFollowing: false });
  switch (key) {
    case 'q':
    case 'escape':
    case 'left':
    case 'backspace':
    case '?':
      return { ui: { ...ui, pager: null }, wishes: [] };
    case 'up':
    case 'k':
      return to(top - 1);
    case 'down':
    case 'j':
      return to(top + 1);
    case 'pageup':
    case 'ctrl-b':
    case 'b':
      return to(top - screen.page);
    case 'pagedown':
    case 'ctrl-f':
    case ' ':
      return to(top + screen.page);
    case 'home':
    case 'g':
      return to(0);
    case 'end':
    case 'G':
      return to(bottom);
    case 'f':
      return show({ isFollowing: !pager.isFollowing, top });
    case 'n':
      return find(ui, screen, from + 1, 1) ?? show({});
    case 'N':
      return find(ui, screen, from - 1, -1) ?? show({});
    case '/':
      return { ui: { ...ui, entry: { kind: 'search', text: '', cursor: 0, back: 0, to: null } }, wishes: [] };
    case 'tab':
    case ']':
      return turnTo(ui, screen, 1);
    case '[':
      return turnTo(ui, screen, -1);
    default:
      return /^\d$/.test(key) && pager.kind === 'conflicts' ? take(ui, Number(key), screen) : { ui, wishes: [] };
  }
}

// From the first line that is shown on; where nothing is below, the nearest above.
export function findFirst(ui: Ui, search: string, screen: Screen): Step {
  if (ui.pager === null) return { ui, wishes: [] };
  const bottom = Math.max(0, screen.lines - screen.page);
  const top = ui.pager.isFollowing ? bottom : Math.min(ui.pager.top, bottom);
  const pager = { ...ui.pager, search, top, isFollowing: ui.pager.isFollowing && search === '' };
  if (search === '') return { ui: { ...ui, pager }, wishes: [] };
  const at = seek(screen, search, top, 1) ?? seek(screen, search, top - 1, -1);
  if (at !== null) return { ui: { ...ui, pager: { ...pager, top: at } }, wishes: [] };
  return { ui: { ...ui, pager, message: { text: `"${search}" is nowhere here`, kind: 'bad' } }, wishes: [] };
}

function find(ui: Ui, screen: Screen, from: number, way: 1 | -1): Step | null {
  const pager = ui.pager!;
  if (pager.search === '') return null;
  const at = seek(screen, pager.search, from, way);
  if (at !== null) return { ui: { ...ui, pager: { ...pager, top: at, isFollowing: false } }, wishes: [] };
  const text = `no ${way === 1 ? 'further' : 'earlier'} "${pager.search}"`;
  return { ui: { ...ui, message: { text, kind: 'bad' } }, wishes: [] };
}

function seek({ texts }: Screen, words: string, from: number, way: 1 | -1): number | null {
  for (let at = from; at >= 0 && at < texts.length; at += way) if (hasWords(texts, at, words)) return at;
  return null;
}

function turnTo(ui: Ui, { conflict }: Screen, way: 1 | -1): Step {
  if (conflict === null) return { ui, wishes: [] };
  const { at, all } = conflict;
  const next = all[(at + way + all.length) % all.length]!;
  return { ui: { ...ui, pager: { ...ui.pager!, conflict: next.id, top: 0 } }, wishes: [] };
}

function take(ui: Ui, number: number, { conflict }: Screen): Step {
  const agent = conflict?.agents[number - 1];
  if (conflict === null || agent === undefined) {
    const text = conflict === null ? 'nothing is left to decide' : `there is no side ${number}`;
    return { ui: { ...ui, message: { text, kind: 'bad' } }, wishes: [] };
  }
  const argv = ['merge', ui.pager!.title, '--take', `${conflict.id}=${agent}`];
  const wish: Wish = { do: 'run', argv, label: `take the version of ${agent}` };
  const confirm = { question: `Take the version of ${agent} for ${plainText(conflict.path, { max: 200 })}?`, wish };
  return { ui: { ...ui, confirm }, wishes: [] };
}
