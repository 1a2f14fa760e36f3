// The wishes a running engine takes: one JSON line in, one JSON line out, on a socket only its user may open.

import { createHash } from 'node:crypto';
import { chmodSync, rmSync } from 'node:fs';
import { createConnection, createServer, type Server } from 'node:net';
import path from 'node:path';
import { ensureRuntimeFolder, runtimeFolder } from '../tmux/runtime.ts';

export type Command = { do: 'pause' } | { do: 'unpause' } | { do: 'cancel' } | { do: 'retry'; agent: string };
export type Answer = { ok: boolean; message: string };

const ANSWER_MS = 10_000;
const MAX_LINE = 64 * 1024;

const socketOf = (workspace: string): string =>
  path.join(runtimeFolder(), `e-${createHash('sha256').update(workspace).digest('hex').slice(0, 16)}.sock`);

export async function openControlSocket(
  workspace: string,
  take: (command: Command) => Answer,
): Promise<{ close(): void }> {
  ensureRuntimeFolder();
  const file = socketOf(workspace);
  rmSync(file, { force: true }); // ours by the execution's lock: whoever made it is gone
  const server = createServer(socket => {
    let text = '';
    socket.setTimeout(ANSWER_MS, () => socket.destroy());
    socket.on('error', () => socket.destroy());
    socket.on('data', chunk => {
      text += chunk;
      if (text.length > MAX_LINE) return socket.destroy();
      if (text.includes('\n')) socket.end(`${JSON.stringify(answerTo(text, take))}\n`);
    });
  });
  await listen(server, file);
  return {
    close() {
      server.close();
      rmSync(file, { force: true });
    },
  };
}

function listen(server: Server, file: string): Promise<void> {
  const before = process.umask(0o177);
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(file, () => {
      chmodSync(file, 0o600);
      server.unref();
      resolve();
    });
    process.umask(before);
  });
}

function answerTo(line: string, take: (command: Command) => Answer): Answer {
  try {
    const command = JSON.parse(line) as Command;
    const isKnown =
      ['pause', 'unpause', 'cancel'].includes(command?.do) ||
      (command?.do === 'retry' && typeof command.agent === 'string');
    return isKnown ? take(command) : { ok: false, message: 'this engine does not know that command' };
  } catch (error) {
    return { ok: false, message: error instanceof Error ? error.message : String(error) };
  }
}

// null: no engine listens.
export function sendCommand(workspace: string, command: Command): Promise<Answer | null> {
  return new Promise((resolve, reject) => {
    const socket = createConnection(socketOf(workspace));
    let text = '';
    socket.setTimeout(ANSWER_MS, () =>
      socket.destroy(new Error(`the engine of ${workspace} did not answer within ${ANSWER_MS / 1000} s`)),
    );
    socket.on('connect', () => socket.write(`${JSON.stringify(command)}\n`));
    socket.on('data', chunk => {
      text += chunk;
    });
    socket.on('end', () => resolve(text === '' ? null : (JSON.parse(text) as Answer)));
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' || error.code === 'ECONNREFUSED') resolve(null);
      else reject(error);
    });
  });
}
