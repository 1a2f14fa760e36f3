// The one sender of a process: takes notices, leaves out those told already or seen on a dashboard, waits a moment for
// more of them, and tells all as one: bell and title of its terminal, the desktop, and the user's command.

import { claimNotice, forgetOldClaims } from './claim.ts';
import { bell, type DesktopWay, desktopCommand, oldTitle, oscBytes, setTitle } from './desktop.ts';
import { isLookedAt } from './focus.ts';
import { groupNotices, type Notice } from './notice.ts';
import { runNotice } from './run-notice.ts';

export type NoticeOptions = {
  terminal: { write(text: string): unknown } | null;
  desktop: DesktopWay;
  command: readonly string[] | null; // `notify` of baton.json
  focusFolder: string;
  trouble: (message: string) => void; // told once
  waitMs?: number;
};
export type Notices = { tell(notice: Notice): void; close(): Promise<void> };

const WAIT_MS = 2500;
const MOST_WAITING = 200;

export function openNotices(o: NoticeOptions): Notices {
  let waiting: Notice[] = [];
  let timer: NodeJS.Timeout | null = null;
  let sending: Promise<void> = Promise.resolve();
  let isTitled = false;
  let isTroubled = false;
  void forgetOldClaims(Date.now());

  const trouble = (what: string, why: string) => {
    if (!isTroubled) o.trouble(`a notice could not be given by ${what}: ${why}`);
    isTroubled = true;
  };
  const send = async (notices: readonly Notice[]) => {
    const { title, body } = groupNotices(notices);
    if (o.terminal !== null) {
      const osc = o.desktop === 'osc9' || o.desktop === 'osc777' ? oscBytes(o.desktop, title, body) : '';
      o.terminal.write(`${isTitled ? oldTitle : ''}${setTitle(`baton: ${title}`)}${osc}${bell}`);
      isTitled = true;
    }
    if (o.desktop === 'notify-send' || o.desktop === 'osascript') {
      const why = await runNotice(desktopCommand(o.desktop, title, body), '');
      if (why !== null) trouble(o.desktop, why);
    }
    if (o.command !== null) {
      const why = await runNotice(o.command, `${JSON.stringify({ version: 1, title, body, notices })}\n`);
      if (why !== null) trouble('"notify" of baton.json', why);
    }
  };
  const flush = () => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    const notices = isLookedAt(o.focusFolder) ? [] : waiting;
    waiting = [];
    if (notices.length > 0)
      sending = sending.then(() => send(notices)).catch(error => trouble('this process', String(error)));
  };

  return {
    tell(notice) {
      if (waiting.length >= MOST_WAITING || !claimNotice(notice.key)) return;
      waiting.push(notice);
      timer ??= setTimeout(flush, o.waitMs ?? WAIT_MS);
    },
    async close() {
      flush();
      await sending;
      if (isTitled) o.terminal?.write(oldTitle);
      isTitled = false;
    },
  };
}
