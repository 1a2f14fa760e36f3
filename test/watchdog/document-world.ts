// One handoff on a real disk and in a real repository, by the real runner and the real hands; only the pane is played:
// an agent that does with each prompt what the test says, or one that is gone.

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { findHandoffCommit } from '../../src/git/find-handoff-commit.ts';
import { handoffLimits } from '../../src/handoff/handoff-limits.ts';
import type { Effect, HandoffState, Outcome, Places, Seen } from '../../src/handoff/handoff-types.ts';
import { DEFAULT_TEMPLATE } from '../../src/handoff/template.ts';
import { filesOf } from '../../src/handoff/turns.ts';
import { readDocumentFile } from '../../src/project/document-file.ts';
import type { JournalEntry } from '../../src/protocol/handoff.ts';
import { act, type Hands } from '../../watchdog/act.ts';
import { rulesFor } from '../../watchdog/handoff-rules.ts';
import { lookAtDocument } from '../../watchdog/look-at-document.ts';
import { runHandoff } from '../../watchdog/run-handoff.ts';
import type { WatchedPane } from '../../watchdog/watched-pane.ts';

export const ID = 'h-1';

export type DocumentRun = {
  pane?: Partial<WatchedPane>;
  agent?: (prompt: string, n: number) => void; // null: it is gone
  places?: Places;
  transcript?: string;
  during?: (effect: Effect) => void; // what others do just before this deed
};

export function makeDocumentWorld() {
  const folder = mkdtempSync('/tmp/bd-');
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const at = (...parts: string[]) => path.join(folder, ...parts);
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: at('work'), encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();
  const put = (text: string, ...parts: string[]) => {
    mkdirSync(path.dirname(at(...parts)), { recursive: true });
    writeFileSync(at(...parts), text);
  };
  mkdirSync(at('work'));
  git('init', '-q', '-b', 'main');
  git('config', 'user.name', 'Tester');
  git('config', 'user.email', 'tester@localhost');
  put(DEFAULT_TEMPLATE, 'work', 'docs', 'HANDOFF-template.md');
  git('add', '.');
  git('commit', '-q', '-m', 'Begin');

  const paneWith = (more: Partial<WatchedPane> = {}) =>
    ({
      ...{ key: 'k', name: 'tested', kind: 'adopted', role: 'agent', folder: at('work'), agent: null, workspace: null },
      ...{ channel: null, contract: null, documentPath: null, task: null, cap: null, maxCostUsd: null, costs: null },
      ...{ identity: { socket: at('s'), pane: '%1', pid: 1 }, lacks: [], ...more },
    }) as WatchedPane;

  async function handOff({ pane: more, agent, places, transcript, during }: DocumentRun = {}) {
    const pane = paneWith(more);
    const { rules } = await rulesFor(pane, null, { places });
    rules.limits = { ...handoffLimits, pollMs: 0, settleMs: 0, saidMs: 0, commitRetryMs: 0 };
    const alerts: string[] = [];
    const said: string[] = [];
    const journal: JournalEntry[] = [];
    let session = 's1';
    let box = 'empty';
    const hands = {
      pane,
      rules,
      door: { look: async () => null, setLease: async () => true },
      ear: { transcript: () => transcript ?? null },
      ownRepository: at('own.git'),
      places: { records: at('records') },
      task: 'go on',
      index: async () => null,
      workers: () => ({ workers: [], events: [], lastN: 0 }),
      say: () => {},
      alert: async (_: string, text: string) => void alerts.push(text),
    } as unknown as Hands;
    mkdirSync(at('records'), { recursive: true });
    const look = async (state: HandoffState): Promise<Seen> => {
      const document = await lookAtDocument(rules, ID, pane.folder);
      const mark = 'mark' in state ? state.mark : null;
      return {
        ...{
          at: Date.now(),
          pane: agent ? 'here' : 'gone',
          lease: 'ours',
          sessionId: session,
          isCleared: true,
          blockers: [],
          box,
        },
        ...{
          tokens: session === 's1' ? 120_000 : 5000,
          isFull: false,
          contract: 'none',
          canOrder: false,
          trouble: null,
        },
        ...{ said: mark !== null && said.includes(mark) ? 'ended' : 'no', otherPrompts: 0, compactions: 0, document },
        archiveNames: list(rules.archiveDir),
        archiveHash:
          state.name === 'archiving'
            ? (await readDocumentFile(path.join(rules.archiveDir, state.archive.to))).hash
            : null,
        commit: !document?.hasId
          ? null
          : await findHandoffCommit({
              folder: pane.folder,
              handoffId: ID,
              files: filesOf(state.handoff, rules),
              ownRepository: at('own.git'),
            }).catch(() => null),
      } as Seen;
    };
    const deed = async (effect: Effect, state: HandoffState): Promise<Outcome> => {
      during?.(effect);
      if (effect.do === 'say') {
        said.push(effect.mark);
        if (session === 's1') agent?.(effect.text, said.length);
        return { did: 'done' };
      }
      if (effect.do === 'clear') box = 'ours';
      if (effect.do === 'submit') [session, box] = ['s2', 'empty'];
      if (['clear', 'submit', 'hold', 'release'].includes(effect.do)) return { did: 'done' };
      return act(hands, effect, state);
    };
    const start = {
      ...{ id: ID, pane: 'tested', reason: 'context threshold', sessionId: 's1', tokensBefore: 120_000 },
      places: places ?? rules,
    } as const;
    const world = {
      now: Date.now,
      sleep: async () => {},
      look,
      act: deed,
      room: { take: () => true, give: () => {} },
      journal: { read: async () => journal, append: async (entry: JournalEntry) => void journal.push(entry) },
    };
    const ended = (await runHandoff(world, rules, start, AbortSignal.timeout(60_000)))!;
    return { ...ended, alerts, rules };
  }

  const read = (...parts: string[]) => readFileSync(at('work', 'docs', ...parts), 'utf8');
  return { at, git, put, read, list: (...parts: string[]) => list(at('work', ...parts)), pane: paneWith, handOff };
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}

// A document that passes every check.
export const goodDocument = (more = ''): string => `# Orchestration Handoff

Handoff-Id: ${ID}

## Session Info

- **Timestamp**: 2026-11-18 12:00, context threshold, 104000

## Active Workers

none: nobody works beside this one

## Pending Tasks

- [ ] merge the parser

## Blocked Items

none: nothing waits for anybody

## Recent Events

- 11:50 w1 began ${more}

## Next Actions

1. Look at w1, then merge it.

## Notes

none beyond what is above
`;
