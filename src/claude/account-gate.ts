// One account, many agents: when the service refuses one of them (limit, overload, lost login), all wait.
// The gate is a small file in the runtime folder, so that every engine of this user sees the same one.

import { createHash } from 'node:crypto';
import { readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { writeJson } from '../files/write-file.ts';

export type Gate = { reason: string; until: number | null };
// One without an end that nobody renewed for so long was left behind by a run that is gone.
const FORGOTTEN_MS = 10 * 60_000;

type Variables = Readonly<Record<string, string | undefined>>;

export interface AccountGate {
  read(now: number): Gate | null; // null: open
  close(gate: Gate): Promise<void>;
  open(): void; // a turn went well
  provenAt(): number; // when that was last; 0: never
  renew(): void; // of one without an end: somebody still waits before it
}

export function accountGate(folder: string, env: Variables): AccountGate {
  const file = path.join(folder, `gate-${accountKey(env)}.json`);
  const proof = path.join(folder, `proof-${accountKey(env)}`);
  const remove = () => rmSync(file, { force: true });
  return {
    read(now) {
      const gate = readGate(file);
      if (gate === null) return null;
      if (gate.until === null ? now - changedAt(file) < FORGOTTEN_MS : gate.until > now) return gate;
      remove();
      return null;
    },
    async close(gate) {
      const before = readGate(file);
      // Of two that close it, the later end counts; one without an end is opened by a person or by success.
      if (before !== null && (before.until === null || (gate.until !== null && before.until >= gate.until))) return;
      await writeJson(file, gate, { mode: 0o600, sync: false });
    },
    open() {
      remove();
      writeFileSync(proof, '', { mode: 0o600 });
    },
    provenAt: () => changedAt(proof),
    renew() {
      try {
        utimesSync(file, new Date(), new Date());
      } catch {
        // opened by somebody else meanwhile
      }
    },
  };
}

// What tells accounts apart, without keeping any of it: only a hash is written.
function accountKey(env: Variables): string {
  const names = ['ANTHROPIC_BASE_URL', 'ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'CLAUDE_CONFIG_DIR', 'HOME'];
  const parts = names.map(name => env[name] ?? '');
  return createHash('sha256').update(parts.join('\0')).digest('hex').slice(0, 12);
}

function changedAt(file: string): number {
  try {
    return statSync(file).mtimeMs;
  } catch {
    return 0;
  }
}

function readGate(file: string): Gate | null {
  try {
    const value = JSON.parse(readFileSync(file, 'utf8')) as Gate;
    return typeof value?.reason === 'string' ? { reason: value.reason, until: value.until ?? null } : null;
  } catch {
    return null; // none, or torn by a crash: the next refusal closes it again
  }
}
