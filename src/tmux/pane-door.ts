// One pane, looked at and typed into. Every key is sent by tmux itself only if the pane is still the one
// meant and in no mode: the check and the key are one command, so nothing can come between them.

import { randomUUID } from 'node:crypto';
import { tmuxQuote } from './quote.ts';
import { runTmux } from './run-tmux.ts';

export type PaneIdentity = { socket: string; pane: string; pid: number };

export type PaneView = {
  text: string; // with escapes
  width: number;
  height: number;
  isInMode: boolean; // copy mode and its kin swallow keys
  isDead: boolean;
  pid: number;
  holder: string | null; // who took control of the pane (`baton hold`): nothing is sent meanwhile
  lease: string | null; // whose handoff is under way; whether that process still lives is for the reader to ask
  session: string; // $N
  watchers: number; // clients attached to its session, to one grouped with it, or showing its window; 0: nobody
  cursor: { x: number; y: number }; // the terminal's own, also while it is hidden
  keyAt: number; // seconds since 1970: no person pressed a key in its session after this
  typed: Typed | null; // what Baton typed here last, unless it was seen to be taken
};

export type Typed = { text: string | null; lines: number; at: number };

export type Key = 'Enter' | 'Escape' | 'Up' | 'Down' | `${1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9}`;

// nothing: provably no key went in, the pane is not the one meant or in a mode. unsure: tmux gave no answer (its client
// was killed, say), and the server may still carry it out.
export type Sent = 'sent' | 'nothing' | 'unsure';

export interface PaneDoor {
  readonly identity: PaneIdentity;
  // null: there is no such pane, or it is another one by now.
  look(): Promise<PaneView | null>;
  paste(text: string): Promise<Sent>;
  type(text: string): Promise<Sent>;
  press(key: Key): Promise<Sent>;
  // Empties the input box, whatever is in it; with an empty one it does nothing.
  wipe(): Promise<Sent>;
  // What was typed last was taken, or is gone.
  forgetTyped(): Promise<boolean>;
  // Kept as an option of the pane itself: it ends with the pane, and every process sees it.
  hold(who: string | null): Promise<boolean>;
  setLease(whose: string | null): Promise<boolean>;
  // When a person last pressed a key in this pane's session or pane, in seconds since 1970; null: nobody is attached.
  lastKeyAt(session: string): Promise<number | null>;
}

const FORMAT =
  '#{pane_pid} #{pane_width} #{pane_height} #{pane_in_mode} #{pane_dead} #{session_id} #{session_attached}+#{session_group_attached}+#{window_active_clients} #{@baton_hold} #{@baton_lease} #{session_activity} #{@baton_typed} #{cursor_x} #{cursor_y}';
// Control clients and those that only look press no keys.
const CLIENT = '#{client_control_mode}#{client_readonly} #{client_activity} #{session_id} #{pane_id}';
const SENT = 'baton-sent';
const REFUSED = 'baton-refused';
const NO_PANE = /can't find|no current target|no server running|error connecting|No such file/;
// Claude Code shows more than this collapsed; and a command of tmux has a limit.
const LONGEST_SHOWN = 1500;
// Ctrl-U takes a row of the box, or the end of the one above. It harms nothing where a turn runs, as Esc would.
// 64 of them at once are taken for a paste and dropped; what is shown uncollapsed has fewer rows than half of this.
const WIPING_KEYS = 48;

export function openPane(identity: PaneIdentity): PaneDoor {
  const { socket, pane, pid } = identity;
  const target = tmuxQuote(pane);
  const isMeant = `#{&&:#{==:#{pane_pid},${pid}},#{==:#{pane_in_mode}#{pane_dead},00}}`;

  async function guarded(deed: string, otherwise = '', before: readonly string[] = [], input = ''): Promise<Sent> {
    const refuse = `${otherwise}${otherwise === '' ? '' : ' ; '}display-message -p ${REFUSED}`;
    const args = ['if-shell', '-F', '-t', pane, isMeant, `${deed} ; display-message -p ${SENT}`, refuse];
    const { stdout, stderr } = await runTmux({ socket, args: [...before, ...args], input });
    if (stdout.includes(SENT)) return 'sent';
    return stdout.includes(REFUSED) || NO_PANE.test(stderr) ? 'nothing' : 'unsure';
  }

  async function setOption(name: string, value: string | null): Promise<boolean> {
    const words = value === null ? [] : [Buffer.from(value).toString('base64url')];
    const flags = value === null ? ['-pu'] : ['-p'];
    return (await runTmux({ socket, args: ['set-option', ...flags, '-t', pane, name, ...words] })).ok;
  }

  // In the same command as the keys: whoever dies from there on leaves a text that is known to be Baton's.
  function noting(text: string): string {
    const lines = text.split('\n').length - 1;
    const noted = { text: text.length <= LONGEST_SHOWN ? text : null, lines, at: Date.now(), pid };
    return `set-option -p -t ${target} @baton_typed ${Buffer.from(JSON.stringify(noted)).toString('base64url')}`;
  }

  return {
    identity,
    async look() {
      const args = ['display-message', '-p', '-t', pane, FORMAT, ';', 'capture-pane', '-p', '-e', '-t', pane];
      const { ok, stdout } = await runTmux({ socket, args });
      return ok ? parseView(stdout, pid) : null;
    },
    paste(text) {
      // A name of its own: the user's buffers, and those of another sender, stay as they are.
      const buffer = `baton-${randomUUID()}`;
      const deed = `${noting(text)} ; paste-buffer -p -r -d -b ${buffer} -t ${target}`;
      return guarded(deed, `delete-buffer -b ${buffer}`, ['load-buffer', '-b', buffer, '-', ';'], text);
    },
    type: text => guarded(`${noting(text)} ; send-keys -t ${target} -l -- ${tmuxQuote(text)}`),
    press: key => guarded(`send-keys -t ${target} ${key}`),
    wipe: () => guarded(`send-keys -N ${WIPING_KEYS} -t ${target} C-u`),
    forgetTyped: () => setOption('@baton_typed', null),
    hold: who => setOption('@baton_hold', who),
    setLease: whose => setOption('@baton_lease', whose),
    // Of the whole server: in a group of sessions the person may sit in another one that shows this very pane.
    async lastKeyAt(session) {
      const { stdout } = await runTmux({ socket, args: ['list-clients', '-F', CLIENT] });
      const keys = stdout.split('\n').flatMap(line => {
        const [kind, at, theirs, shown] = line.split(' ');
        return kind === '00' && (theirs === session || shown === pane) ? [Number(at)] : [];
      });
      return keys.length === 0 ? null : Math.max(...keys);
    },
  };
}

function parseView(stdout: string, pid: number): PaneView | null {
  const end = stdout.indexOf('\n');
  const words = stdout.slice(0, end).split(' ');
  const [found, width, height, mode, dead] = words.map(Number);
  if (end < 0 || found !== pid) return null;
  const text = (word: string | undefined) => (word ? Buffer.from(word, 'base64url').toString() : null);
  return {
    text: stdout.slice(end + 1),
    width: width!,
    height: height!,
    isInMode: mode !== 0,
    isDead: dead !== 0,
    pid,
    session: words[5]!,
    cursor: { x: Number(words[11]), y: Number(words[12]) },
    watchers: Math.max(...words[6]!.split('+').map(Number)),
    holder: text(words[7]),
    lease: text(words[8]),
    keyAt: Number(words[9]),
    typed: parseTyped(text(words[10]), pid),
  };
}

// Options outlive the program in the pane; its box does not.
function parseTyped(value: string | null, pid: number): Typed | null {
  try {
    const typed = JSON.parse(value ?? 'null');
    return typed?.pid === pid ? { text: typed.text, lines: typed.lines, at: typed.at } : null;
  } catch {
    return null;
  }
}
