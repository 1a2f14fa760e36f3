// `baton attach`: this terminal becomes a client of the agent's tmux session.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { exitCodes, Fault } from '../../protocol/fault.ts';
import { tmuxSocket } from '../../tmux/runtime.ts';
import type { CommandInput } from '../command-spec.ts';
import { findAgent } from '../find-agent.ts';
import { shellText } from '../shell-text.ts';

export async function run(input: CommandInput): Promise<number> {
  const { execution, agent } = await findAgent(input.args[0]!, input.text('execution'));
  const isAlive = agent.status === 'running' || agent.status === 'parked';
  if (!isAlive || agent.tmux_session === null) {
    throw new Fault(
      'refused',
      `agent "${agent.agent_name}" of ${execution.id} is not running (${agent.status})`,
      `\`baton logs ${execution.id}/${agent.agent_name}\` shows what it wrote`,
    );
  }
  const args = ['-S', tmuxSocket(), '-u', 'attach-session', '-t', `=${agent.tmux_session}`];
  if (input.flag('read-only')) args.push('-r');
  if (!input.out.isTerminal) {
    input.say(shellText(['tmux', ...args]));
    return exitCodes.success;
  }
  return attach(args);
}

// TMUX says "inside of tmux"; without it tmux lets itself be nested, which is what is wanted here.
async function attach(args: readonly string[]): Promise<number> {
  const { TMUX: _tmux, TMUX_PANE: _pane, ...env } = process.env;
  const child = spawn('tmux', args, { stdio: 'inherit', env });
  const [code] = (await once(child, 'exit').catch(cause => {
    throw new Fault('missing', 'tmux could not be started', 'install tmux; `baton doctor` tells how', { cause });
  })) as [number | null];
  return code === 0 ? exitCodes.success : exitCodes.failure;
}
