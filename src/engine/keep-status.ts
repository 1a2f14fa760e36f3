// Keeps status.json true: soon after each change, a few times a second for last lines, and every two
// seconds as a sign of life. Logs are watched with plain fs.watch; a quiet agent costs nothing.

import { type FSWatcher, watch } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { iso } from '../clock/clock.ts';
import { writeJson } from '../files/write-file.ts';
import type { Status } from '../protocol/status.ts';
import { buildStatus, type LiveClaude } from '../run/build-status.ts';
import type { RunState } from '../run/run-state.ts';
import { attemptPlaces } from '../run/workspace-places.ts';
import type { EngineContext } from './context.ts';
import { lastSaid, type Provider } from './last-said.ts';

const SOON_MS = 20;
const LINES_MS = 250;
const HEARTBEAT_MS = 2000;
const TAIL_BYTES = 4096;

export type StatusKeeper = {
  claude: Map<string, LiveClaude>; // what Claude Code sessions show just now; its owner calls changed()
  changed(): void;
  follow(agent: string): void;
  unfollow(agent: string): void;
  close(): Promise<void>; // writes the last word
};

export function keepStatus(
  context: EngineContext,
  current: () => RunState,
  onStatus?: (status: Status) => void,
): StatusKeeper {
  const claude = new Map<string, LiveClaude>();
  const lastLines = new Map<string, string>();
  const watchers = new Map<string, FSWatcher>();
  const dirty = new Map<string, string | null>(); // agent to the log that grew; null: whichever is newer
  let timer: NodeJS.Timeout | null = null;
  let writing: Promise<void> = Promise.resolve();

  const write = () => {
    timer = null;
    writing = writing.then(async () => {
      const status = buildStatus(current(), {
        now: iso(context.clock.now()),
        enginePid: process.pid,
        lastLines,
        claude,
      });
      // A status that cannot be written (disk full) must not end the run; the next one is tried again.
      await writeJson(context.places.status, context.redactor.value(status), { sync: false }).catch(() => {});
      onStatus?.(status);
    });
  };
  const changed = () => {
    timer ??= setTimeout(write, SOON_MS);
  };
  const readDirty = async () => {
    if (dirty.size === 0) return;
    const files = [...dirty];
    dirty.clear();
    for (const [agent, file] of files) {
      const { provider } = context.agents.get(agent)!.config;
      const line = await lastLineOf(file ?? (await newerLog(context.places.workspace, agent)), provider);
      if (line !== null) lastLines.set(agent, context.redactor.text(line));
    }
    changed();
  };
  const lines = setInterval(() => void readDirty(), LINES_MS);
  const heartbeat = setInterval(changed, HEARTBEAT_MS);

  return {
    claude,
    changed,
    follow(agent) {
      if (watchers.has(agent)) return;
      lastLines.delete(agent);
      dirty.set(agent, null); // it may have spoken before we listened
      const { logFolder } = attemptPlaces(context.places.workspace, agent, 1);
      try {
        const watcher = watch(logFolder, (_, name) => {
          if (name === 'stdout.log' || name === 'stderr.log') dirty.set(agent, `${logFolder}/${name}`);
        });
        watcher.on('error', () => watcher.close());
        watchers.set(agent, watcher);
      } catch {
        // No watches left on this machine: the run goes on without last lines.
      }
    },
    unfollow(agent) {
      watchers.get(agent)?.close();
      watchers.delete(agent);
    },
    async close() {
      clearInterval(lines);
      clearInterval(heartbeat);
      for (const watcher of watchers.values()) watcher.close();
      await readDirty();
      if (timer) clearTimeout(timer);
      write();
      await writing;
    },
  };
}

async function newerLog(workspace: string, agent: string): Promise<string> {
  const { stdout, stderr } = attemptPlaces(workspace, agent, 1).logs;
  const [out, err] = await Promise.all([stdout, stderr].map(file => stat(file).catch(() => null)));
  const isErrNewer = err != null && err.size > 0 && (out == null || out.size === 0 || err.mtimeMs > out.mtimeMs);
  return isErrNewer ? stderr : stdout;
}

async function lastLineOf(file: string, provider: Provider): Promise<string | null> {
  try {
    const handle = await open(file, 'r');
    try {
      const { size } = await handle.stat();
      const start = Math.max(0, size - TAIL_BYTES);
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(Math.min(size, TAIL_BYTES)), 0, undefined, start);
      const text = buffer.subarray(0, bytesRead).toString('utf8');
      return lastSaid(text, provider);
    } finally {
      await handle.close();
    }
  } catch {
    return null; // moved away by the next attempt
  }
}
