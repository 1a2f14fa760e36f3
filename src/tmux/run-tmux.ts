// One call of the tmux binary. Everything of ours that talks to tmux comes through here.

import { execa } from 'execa';
import { Fault } from '../protocol/fault.ts';

const LIMIT_MS = 15_000;

export type TmuxAnswer = { ok: boolean; stdout: string; stderr: string };
export type TmuxCall = { socket: string; args: readonly string[]; input?: string; env?: Record<string, string> };

export async function runTmux({ socket, args, input = '', env }: TmuxCall): Promise<TmuxAnswer> {
  const result = await execa('tmux', ['-S', socket, '-u', ...args], {
    reject: false,
    input,
    stripFinalNewline: false,
    timeout: LIMIT_MS,
    killSignal: 'SIGKILL',
    ...(env === undefined ? { env: { TMUX: undefined, TMUX_PANE: undefined } } : { extendEnv: false, env }),
  });
  if (result.code === 'ENOENT')
    throw new Fault('missing', 'tmux is not installed', 'install tmux 3.2 or newer, then run `baton doctor`');
  const stderr = result.stderr || (result.failed ? (result.shortMessage ?? 'no answer') : '');
  return { ok: !result.failed, stdout: result.stdout, stderr };
}
