// What `baton adopt` puts into a project's settings.local.json, and how it is found and taken out again. Pure.
// The file is the project's, not the session's: each command asks first whether it runs in an adopted pane.

import { sideChannelSettings } from '../receipts/side-channel-settings.ts';

export type HookedPane = {
  socket: string;
  pane: string;
  places: { receipts: string; record: string; blockCompact: string; order: string };
};

type Json = Record<string, unknown>;
type Matched = { matcher?: string; hooks: { command?: unknown }[] };

const MARK = ": 'put here by baton adopt; baton release takes it out';";

export function withOurs(settings: Json, o: { panes: HookedPane[]; scripts: string; theirLine: string | null }): Json {
  const clean = withoutOurs(settings, undefined);
  const side = sideChannelSettings(o.scripts);
  const hooks: Json = { ...(isObject(clean.hooks) ? clean.hooks : {}) };
  for (const [event, matched] of Object.entries(side.hooks)) {
    const ours = matched.map(each => ({
      ...each,
      hooks: each.hooks.map(hook => ({ ...hook, command: `${chosen(o.panes, 'exit 0')} ${hook.command}` })),
    }));
    hooks[event] = [...(Array.isArray(hooks[event]) ? hooks[event] : []), ...ours];
  }
  return { ...clean, statusLine: { ...side.statusLine, command: lineCommand(side.statusLine.command, o) }, hooks };
}

// Their status line runs behind ours in an adopted pane, and alone in any other session of the project.
function lineCommand(command: string, o: { panes: HookedPane[]; theirLine: string | null }): string {
  if (o.theirLine === null) return `${chosen(o.panes, 'exit 0')} ${command}`;
  const theirs = quote(o.theirLine);
  return `${chosen(o.panes, `exec /bin/sh -c ${theirs}`)} BATON_USER_STATUS_LINE=${theirs}; ${command}`;
}

// A session started outside of Baton has none of our variables; what tmux gave its pane says who it is.
function chosen(panes: HookedPane[], otherwise: string): string {
  const cases = panes.map(({ socket, pane, places }) => {
    const variables = {
      BATON_PANE: pane,
      BATON_RECEIPTS: places.receipts,
      BATON_STATUS_RECORD: places.record,
      BATON_BLOCK_COMPACT: places.blockCompact,
      BATON_ORDER: places.order,
    };
    const set = Object.entries(variables).map(([name, value]) => `${name}=${quote(value)}`);
    return `${quote(`${socket} ${pane}`)}) ${set.join(' ')} ;;`;
  });
  // A `claude -p` that the session runs has the same pane and the same hooks, and is not the session.
  const inside = `[ "$CLAUDE_CODE_SESSION_ATTENDED" = 0 ] && ${otherwise};`;
  return `${MARK} ${inside} case "\${TMUX%,*,*} $TMUX_PANE" in ${cases.join(' ')} *) ${otherwise} ;; esac;`;
}

// `theirLine`: the status line that stood in this very file before, or undefined where there was none.
export function withoutOurs(settings: Json, theirLine: unknown): Json {
  const result: Json = { ...settings };
  if (isOurs(settings.statusLine)) {
    if (theirLine === undefined) delete result.statusLine;
    else result.statusLine = theirLine;
  }
  if (!isObject(settings.hooks)) return result;
  const kept = Object.entries(settings.hooks).flatMap(([event, list]) => {
    if (!Array.isArray(list)) return [[event, list]];
    const others = list.filter(matched => !isOurMatcher(matched));
    return others.length === 0 && list.length > 0 ? [] : [[event, others]];
  });
  if (kept.length > 0 || Object.keys(settings.hooks).length === 0) result.hooks = Object.fromEntries(kept);
  else delete result.hooks;
  return result;
}

const isOurs = (value: unknown): boolean =>
  isObject(value) && typeof value.command === 'string' && value.command.startsWith(MARK);

const isOurMatcher = (value: unknown): boolean =>
  isObject(value) && Array.isArray(value.hooks) && value.hooks.length > 0 && (value as Matched).hooks.every(isOurs);

export const hasOurs = (settings: Json): boolean =>
  isOurs(settings.statusLine) || (isObject(settings.hooks) && Object.values(settings.hooks).flat().some(isOurMatcher));

export const commandOf = (statusLine: unknown): string | null =>
  isObject(statusLine) && typeof statusLine.command === 'string' && !isOurs(statusLine) ? statusLine.command : null;

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
