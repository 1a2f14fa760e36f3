// Which session the Claude Code of a pane has just now, by the file each running one keeps about itself in its
// config folder (sessions/<pid>.json, seen with 2.1.326; it follows /clear). Nothing else of that folder is opened.
// Two interactive ones beside each other in one pane are one too many: then nothing is known.

import { readdir, readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { type ProcessFact, readProcess } from '../process/process-table.ts';
import { ClaudeSession } from '../protocol/claude-session.ts';

export type RegisteredSession = { pid: number; sessionId: string };
export type Look = (pid: number) => Pick<ProcessFact, 'parent' | 'start' | 'isZombie'> | null;

const DEEPEST = 40;
// In the very form of the process table only where that is read from procfs.
const knowsStart = process.platform === 'linux';

export const claudeConfigFolder = (env: Readonly<Record<string, string | undefined>> = process.env): string =>
  env.CLAUDE_CONFIG_DIR || path.join(homedir(), '.claude');

// `known`: of an earlier look; as long as it lives only its own file is read.
export async function sessionOfPane(
  o: { config: string; panePid: number; known: RegisteredSession | null },
  look: Look = readProcess,
): Promise<RegisteredSession | null> {
  if (o.known !== null) {
    const same = await readEntry(o.config, `${o.known.pid}.json`);
    if (same !== null && isAlive(same, look)) return { pid: same.pid, sessionId: same.sessionId };
  }
  const names = await readdir(path.join(o.config, 'sessions')).catch(() => [] as string[]);
  const files = names.filter(name => /^\d+\.json$/.test(name));
  const entries = (await Promise.all(files.map(name => readEntry(o.config, name)))).filter(entry => entry !== null);
  const here = entries.filter(
    entry => entry.kind === 'interactive' && isAlive(entry, look) && parentsOf(entry.pid, look).includes(o.panePid),
  );
  // One that another started as its tool is not the one that the pane shows.
  const first = here.filter(({ pid }) => !here.some(other => parentsOf(pid, look).slice(1).includes(other.pid)));
  return first.length === 1 ? { pid: first[0]!.pid, sessionId: first[0]!.sessionId } : null;
}

// Found by its name: how Claude Code makes a folder's name out of a long path is its own affair.
export async function findTranscript(config: string, sessionId: string): Promise<string | null> {
  const projects = path.join(config, 'projects');
  for (const name of await readdir(projects).catch(() => [] as string[])) {
    const files = await readdir(path.join(projects, name)).catch(() => [] as string[]);
    if (files.includes(`${sessionId}.jsonl`)) return path.join(projects, name, `${sessionId}.jsonl`);
  }
  return null;
}

async function readEntry(config: string, name: string): Promise<ClaudeSession | null> {
  try {
    const entry = ClaudeSession.parse(JSON.parse(await readFile(path.join(config, 'sessions', name), 'utf8')));
    return `${entry.pid}.json` === name ? entry : null;
  } catch {
    return null; // gone, or being written
  }
}

function isAlive({ pid, procStart }: ClaudeSession, look: Look): boolean {
  const fact = look(pid);
  if (fact === null || fact.isZombie) return false;
  return !knowsStart || procStart === undefined || fact.start === procStart;
}

// Itself first, then its parent, and so on.
function parentsOf(pid: number, look: Look): number[] {
  const line: number[] = [];
  for (let at = pid; at > 1 && line.length < DEEPEST; at = look(at)?.parent ?? 0) line.push(at);
  return line;
}
