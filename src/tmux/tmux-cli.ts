// The one place that runs the tmux binary. Commands go in through standard input (`source-file -`):
// a hundred sessions cost one process, there is no length limit, and no value shows up in a process list.

import { execa } from 'execa';
import { Fault } from '../protocol/fault.ts';
import { appendToFile, tmuxQuote } from './quote.ts';
import { ensureRuntimeFolder, tmuxSocket } from './runtime.ts';
import { type OpenedPane, type PaneFact, type PaneTags, type SessionSpec, type Tmux, TmuxError } from './tmux.ts';

const LIMIT_MS = 15_000;
// kill-server leaves a dying server on the socket for one or two seconds.
const DYING_SERVER_MS = 4000;
export const COLUMNS = 200;
export const ROWS = 50;
const FIELDS = ['#{session_name}', '#{pane_id}', '#{pane_pid}', '#{pane_dead}', '#{@baton_tags}'].join(' ');

const isGone = (stderr: string): boolean =>
  /server exited|lost server|no server running|error connecting|No such file/.test(stderr);

// What `list-panes -a` says to a server without any session.
const isEmpty = (stderr: string): boolean => /no current target/.test(stderr);

export function connectTmux(configFile: string): Tmux {
  async function tmux(args: readonly string[], input = '') {
    const result = await execa('tmux', ['-S', tmuxSocket(), '-f', configFile, '-u', ...args], {
      reject: false,
      input,
      timeout: LIMIT_MS,
      killSignal: 'SIGKILL',
      extendEnv: false,
      env: serverEnvironment(),
    });
    if (result.code === 'ENOENT') {
      throw new Fault('missing', 'tmux is not installed', 'install tmux 3.2 or newer, then run `baton doctor`');
    }
    return {
      ok: !result.failed,
      stdout: result.stdout,
      stderr: result.stderr || (result.failed ? result.shortMessage! : ''),
    };
  }

  // A server that is just ending answers nothing, or nothing useful, to some of the commands: what did not
  // happen is asked for again. What it complains about in words (a taken name) is not.
  async function open(specs: readonly SessionSpec[]): Promise<{ opened: OpenedPane[]; complaint: string }> {
    const until = performance.now() + DYING_SERVER_MS;
    const opened: OpenedPane[] = [];
    for (let left = specs; ; await new Promise(resolve => setTimeout(resolve, 100))) {
      const { stdout, stderr } = await tmux(['start-server', ';', 'source-file', '-'], whole(left.map(openScript)));
      opened.push(...parseOpened(stdout));
      left = specs.filter(spec => !opened.some(pane => pane.session === spec.session));
      const isFinal = left.length === 0 || (stderr !== '' && !isGone(stderr)) || performance.now() > until;
      if (isFinal) return { opened, complaint: stderr };
    }
  }

  return {
    async openSessions(specs) {
      ensureRuntimeFolder();
      return open(specs);
    },

    async listPanes() {
      const answer = await tmux(['list-panes', '-a', '-F', FIELDS]);
      if (answer.ok) return answer.stdout.split('\n').flatMap(parsePane);
      if (isGone(answer.stderr) || isEmpty(answer.stderr)) return [];
      throw new TmuxError('list-panes', answer.stderr);
    },

    async listSessionNames() {
      const answer = await tmux(['list-sessions', '-F', '#{session_name}']);
      if (!answer.ok && !isGone(answer.stderr)) throw new TmuxError('list-sessions', answer.stderr);
      return new Set(answer.ok ? answer.stdout.split('\n').filter(Boolean) : []);
    },

    async closeSessions(sessions) {
      if (sessions.length === 0) return;
      // A session that is gone already is what we wanted, so complaints are not read.
      await tmux(['source-file', '-'], sessions.map(name => `kill-session -t ${tmuxQuote(`=${name}`)}\n`).join(''));
    },
  };
}

// In braces: when we are killed while the text is still on its way, tmux finds no end and does nothing of it.
const whole = (lines: readonly string[]): string => `if-shell -F 1 {\n${lines.join('')}}\n`;

function openScript({ session, tags, env, command, rawLog }: SessionSpec): string {
  const target = tmuxQuote(`=${session}:`);
  const variables = Object.entries(env).map(([name, value]) => `-e ${tmuxQuote(`${name}=${value}`)}`);
  const words = command.map(tmuxQuote).join(' ');
  // One line: when the name is taken, tmux skips the rest of it and nobody else's session is touched.
  const commands = [
    `new-session -d -x ${COLUMNS} -y ${ROWS} -s ${tmuxQuote(session)} ${variables.join(' ')} -P -F "opened #{session_name} #{pane_id} #{pane_pid}" -- ${words}`,
    `pipe-pane -t ${target} ${tmuxQuote(appendToFile(rawLog))}`,
    // A global window-size of manual kills tmux 3.3a; per window it keeps a small client from shrinking the agent.
    `set-option -w -t ${target} window-size manual`,
    `set-option -t ${target} @baton_tags ${tmuxQuote(tagWords(tags))}`,
  ];
  return `${commands.join(' ; ')}\n`;
}

// One option instead of four: tmux takes every command by itself, and a hundred sessions make it felt.
const tagWords = ({ agent, attempt, execution, workspace }: PaneTags): string =>
  [agent, attempt, execution, Buffer.from(workspace).toString('base64url')].join(' ');

function parseOpened(stdout: string): OpenedPane[] {
  return stdout.split('\n').flatMap(line => {
    const match = /^opened (\S+) (%\d+) (\d+)$/.exec(line);
    return match ? [{ session: match[1]!, pane: match[2]!, pid: Number(match[3]) }] : [];
  });
}

function parsePane(line: string): PaneFact[] {
  const [session, pane, pid, dead, agent, attempt, execution, workspace] = line.split(' ');
  if (!session || !pane || !agent || !execution || !workspace) return [];
  return [
    {
      session,
      pane,
      pid: Number(pid),
      isDead: dead === '1',
      tags: { agent, attempt: Number(attempt), execution, workspace: Buffer.from(workspace, 'base64url').toString() },
    },
  ];
}

// The server outlives us and hands its environment to every later pane: only what a shell needs goes in.
function serverEnvironment(): Record<string, string> {
  const kept = ['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'TMPDIR', 'TZ'];
  const pairs = kept.flatMap(name => (process.env[name] === undefined ? [] : [[name, process.env[name]]]));
  return { ...Object.fromEntries(pairs), LANG: process.env.LANG || 'C.UTF-8' };
}
