// `baton attach`: this terminal becomes a client of the agent's tmux session, or of the user's own that holds a pane.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { exitCodes, Fault } from '../../protocol/fault.ts';
import { fitToClients } from '../../tmux/fit-to-clients.ts';
import { tmuxSocket } from '../../tmux/runtime.ts';
import type { CommandInput } from '../command-spec.ts';
import { findAgent } from '../find-agent.ts';
import { findForeignPane } from '../find-foreign-pane.ts';
import { shellText } from '../shell-text.ts';

export async function run(input: CommandInput): Promise<number> {
  const isOwn = /^%\d+$/.test(input.args[0]!);
  const { socket, target } = isOwn ? await foreignPane(input) : await agentSession(input);
  const isReadOnly = input.flag('read-only');
  const args = ['-S', socket, '-u', 'attach-session', '-t', target, ...(isReadOnly ? ['-r'] : [])];
  if (!input.out.isTerminal) {
    input.say(shellText(['tmux', ...args]));
    return exitCodes.success;
  }
  if (!isOwn && !isReadOnly) await fitToClients(socket, target);
  return attach(args, input.flag('quiet'));
}

async function foreignPane(input: CommandInput): Promise<{ socket: string; target: string }> {
  const { identity } = await findForeignPane(input);
  return { socket: identity.socket, target: identity.pane };
}

async function agentSession(input: CommandInput): Promise<{ socket: string; target: string }> {
  const { execution, agent } = await findAgent(input.args[0]!, input.text('execution'));
  const isAlive = agent.status === 'running' || agent.status === 'parked';
  if (!isAlive || agent.tmux_session === null) {
    throw new Fault(
      'refused',
      `agent "${agent.agent_name}" of ${execution.id} is not running (${agent.status})`,
      `\`baton logs ${execution.id}/${agent.agent_name}\` shows what it wrote`,
    );
  }
  return { socket: tmuxSocket(), target: `=${agent.tmux_session}` };
}

// TMUX says "inside of tmux"; without it tmux lets itself be nested, which is what is wanted here.
// It draws on the terminal of its stdin; on stdout it only says "[detached …]".
async function attach(args: readonly string[], isQuiet: boolean): Promise<number> {
  const { TMUX: _tmux, TMUX_PANE: _pane, ...env } = process.env;
  const child = spawn('tmux', args, { stdio: ['inherit', isQuiet ? 'ignore' : 'inherit', 'inherit'], env });
  const [code] = (await once(child, 'exit').catch(cause => {
    throw new Fault('missing', 'tmux could not be started', 'install tmux; `baton doctor` tells how', { cause });
  })) as [number | null];
  return code === 0 ? exitCodes.success : exitCodes.failure;
}
