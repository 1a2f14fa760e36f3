// Notices of a running engine: its events, this terminal, the desktop and the user's command brought together. Off
// with BATON_NOTICES=off, and where nobody could be told.

import { existsSync } from 'node:fs';
import path from 'node:path';
import { desktopWay } from '../notices/desktop.ts';
import { noticeOf } from '../notices/notice.ts';
import { openNotices } from '../notices/open-notices.ts';
import { findNotify } from '../project/find-notify.ts';
import { findProject } from '../project/find-project.ts';
import type { Event } from '../protocol/event.ts';
import { runtimeFolder } from '../tmux/runtime.ts';
import type { CommandInput } from './command-spec.ts';

type Whose = { execution: string; workspace: string };
export type RunNotices = {
  know(whose: Whose): void;
  event(event: Event, workspace?: string): void;
  close(): Promise<void>;
};

const nobody: RunNotices = { know: () => {}, event: () => {}, close: async () => {} };

export async function openRunNotices(input: CommandInput, say: (message: string) => void): Promise<RunNotices> {
  const { env, platform } = process;
  if (env.BATON_NOTICES === 'off') return nobody;
  const screen = [input.out, input.err].find(each => each.isTerminal) ?? null;
  const has = (program: string) =>
    (env.PATH ?? '').split(':').some(folder => folder !== '' && existsSync(path.join(folder, program)));
  const desktop = desktopWay({ env, platform, isTerminal: screen !== null, has });
  const notify = await findNotify(await findProject(process.cwd()), env).catch(error => {
    say(`no command for notices: ${error.message}`);
    return null;
  });
  if (screen === null && desktop === null && notify === null) return nobody;
  const notices = openNotices({
    terminal: screen?.stream ?? null,
    desktop,
    command: notify?.argv ?? null,
    focusFolder: path.join(runtimeFolder(), 'dashboard-focus'),
    trouble: say,
  });
  const known = new Map<string, Whose>();
  let only: Whose | null = null;
  let early: Event[] = []; // of an execution that has not said its name yet

  const tell = (event: Event, whose: Whose) => {
    const notice = noticeOf(event, whose);
    if (notice !== null) notices.tell(notice);
  };
  const know = (whose: Whose) => {
    only = whose;
    for (const event of early) tell(event, whose);
    early = [];
  };
  return {
    know,
    event(event, workspace) {
      if (event.type === 'execution_started') {
        const whose = { execution: event.data.request.execution_id, workspace: event.data.workspace_root };
        known.set(workspace ?? '', whose);
        if (workspace === undefined) know(whose);
      }
      if (workspace !== undefined) {
        tell(event, known.get(workspace) ?? { execution: path.basename(workspace), workspace });
      } else if (only === null) early.push(event);
      else tell(event, only);
    },
    close: () => notices.close(),
  };
}
