// The loop of one execution: look, decide, write down, act, wait. What to do is decided in src/run;
// this file only moves values between the decisions and the world.

import { type FSWatcher, watch } from 'node:fs';
import { accountGate } from '../claude/account-gate.ts';
import { iso } from '../clock/clock.ts';
import { isBusy, nextSteps, nextWake, retryAt, type Step } from '../run/next-steps.ts';
import { type AgentRun, currentAttempt, type Exit, type Stop } from '../run/run-state.ts';
import { attemptPlaces } from '../run/workspace-places.ts';
import { ensureRuntimeFolder } from '../tmux/runtime.ts';
import { sessionCloser } from './close-sessions.ts';
import type { EngineContext } from './context.ts';
import { endAttempt } from './end-attempt.ts';
import { diskComplaint } from './free-disk.ts';
import { keepSettings } from './keep-settings.ts';
import type { StatusKeeper } from './keep-status.ts';
import { providerOf } from './provider.ts';
import { readExit } from './read-mark.ts';
import { reconcileRun } from './reconcile-run.ts';
import type { RunRecord } from './run-record.ts';
import type { Slots } from './slots.ts';
import { failedOutcome, startAttempts } from './start-attempts.ts';
import type { Tender, tendAgent } from './tend-agent.ts';
import { warnOnce } from './warn-once.ts';

// Exit marks are pushed by the file system; this look catches what was missed and panes that vanished.
const SWEEP_MS = 2000;
const WATCHDOG_MS = 10_000;
// Memory of a tree at or above this is worth a word, as in the protocol's example.
const HIGH_MEMORY_MB = 512;

export type Conductor = { wake(): void; run(): Promise<void> };
export type ConductOptions = { context: EngineContext; record: RunRecord; keeper: StatusKeeper; slots: Slots };

export function conductRun({ context, record, keeper, slots }: ConductOptions): Conductor {
  const endings = new Map<string, { stop: AbortController; done: Promise<void> }>();
  const closeSession = sessionCloser(context.tmux);
  const missing = new Map<string, number>();
  const tenders = new Map<string, Tender>();
  let tend: typeof tendAgent | null = null;
  let askedForWatchdog = 0;
  const gate = accountGate(ensureRuntimeFolder(), context.environment);
  const isTended = (name: string) => providerOf(context.agents.get(name)!.config).isTended;
  const claudes = [...context.agents].filter(([, { config }]) => providerOf(config).isClaude);
  const claudeNames = new Set(claudes.map(([name]) => name));
  let ring: () => void = () => {};
  let isRung = false;
  const wake = () => {
    isRung = true;
    ring();
  };
  // What goes wrong beside the loop (a disk that takes no event any more) ends it, not the whole process.
  let broken: { error: unknown } | null = null;
  const fail = (error: unknown) => {
    broken ??= { error };
    wake();
  };

  async function run(): Promise<void> {
    // Loaded only where it is needed: most of an engine's memory is code.
    if ([...context.agents.keys()].some(isTended)) {
      tend = (await import('./tend-agent.ts')).tendAgent;
      await keepSettings(context);
      await wantWatchdog();
    }
    const vanished = await reconcileRun(context, record);
    for (const agent of record.state().agents.values()) resumeEnding(agent, vanished);
    const watcher = watchMarks();
    const unsubscribe = slots.onFreed(wake);
    const sweep = setInterval(() => void lookAround().catch(fail), SWEEP_MS);
    try {
      readMarks();
      await loop();
    } finally {
      watcher?.close();
      unsubscribe();
      clearInterval(sweep);
      slots.hold(context.places.workspace, 0);
      await Promise.all([...tenders.values()].map(tender => tender.stop()));
    }
  }

  // Also later: a run may outlive the watchdog it began with.
  async function wantWatchdog(o: { onlyDead?: boolean } = {}): Promise<void> {
    askedForWatchdog = performance.now();
    const { ensureWatchdog } = await import('./ensure-watchdog.ts');
    const message = await ensureWatchdog(context.environment, o);
    if (message !== null) warnOnce(record, null, { message, severity: 'medium' });
  }

  async function loop(): Promise<void> {
    for (;;) {
      isRung = false;
      if (broken !== null) throw broken.error;
      const state = record.state();
      const busy = [...state.agents.values()].filter(isBusy).length;
      slots.hold(context.places.workspace, busy);
      const complaint = await diskComplaint(context.places.workspace, context.environment);
      const now = context.clock.now();
      const closed = gate.read(now);
      const gated = closed === null ? null : { agents: claudeNames, reason: closed.reason };
      const steps = nextSteps(state, { now, freeSlots: slots.free(), diskComplaint: complaint, gated });
      if (steps.some(step => step.do === 'finish')) return;
      await perform(steps);
      if (steps.length === 0) await sleepUntil(nextWake(record.state()));
    }
  }

  async function perform(steps: Step[]): Promise<void> {
    const starts = steps.filter(step => step.do === 'start');
    for (const step of steps) {
      if (step.do === 'skip')
        record.append({ type: 'agent_skipped', agent: step.agent, data: { reason: step.reason } });
      if (step.do === 'expire') record.append({ type: 'total_timeout', agent: null, data: { seconds: step.seconds } });
      if (step.do === 'hold_back') holdBack(step.reason);
      if (step.do === 'give_up') giveUp(step.reason);
      if (step.do === 'stop') stop(step.agent, { cause: step.cause, reason: null, mayRetry: false });
    }
    if (starts.length === 0) return;
    slots.hold(context.places.workspace, [...record.state().agents.values()].filter(isBusy).length + starts.length);
    await startAttempts(context, record, starts);
    for (const { agent } of starts) settle(agent);
    readMarks();
  }

  // After an attempt was opened or has ended: follow it, or plan the next one.
  function settle(name: string): void {
    const run = record.state().agents.get(name)!;
    if (run.state.at === 'running') follow(name);
    if (run.state.at !== 'ended' || record.state().ending !== null) return;
    const at = retryAt(run, record.state().request.execution_options, context.clock.now());
    const attempt = run.attempts.length + 1;
    if (at !== null) record.append({ type: 'retry_scheduled', agent: name, data: { attempt, not_before: iso(at) } });
  }

  function follow(name: string): void {
    keeper.follow(name);
    const agent = context.agents.get(name)!;
    if (tend === null || !isTended(name) || tenders.has(name)) return;
    const world = { context, record, gate, live: keeper.claude, changed: keeper.changed, exited, giveUp: giveUpOn };
    tenders.set(name, tend(world, agent));
  }

  // A tender may come too late: somebody else ended the attempt meanwhile.
  function giveUpOn(name: string, why: { reason: string; mayRetry: boolean }): void {
    if (record.state().agents.get(name)!.state.at !== 'running') return;
    stop(name, { cause: 'gave_up', ...why });
    wake();
  }

  function holdBack(reason: string | null): void {
    record.append({ type: 'held_back', agent: null, data: { reason } });
    if (reason !== null) record.append({ type: 'warning', agent: null, data: { message: reason, severity: 'high' } });
  }

  function giveUp(reason: string): void {
    record.append({ type: 'error', agent: null, data: { message: reason } });
    record.append({ type: 'cancel_requested', agent: null, data: { reason } });
  }

  function stop(name: string, wish: Stop): void {
    const run = record.state().agents.get(name)!;
    const { cause, reason, mayRetry } = wish;
    const { attempt } = currentAttempt(run);
    endings.get(name)?.stop.abort();
    record.append({ type: 'attempt_stopping', agent: name, data: { attempt, cause, reason, may_retry: mayRetry } });
    beginEnding(name, null, wish);
  }

  function exited(name: string, exit: Exit): void {
    const { attempt } = currentAttempt(record.state().agents.get(name)!);
    record.append({
      type: 'attempt_exited',
      agent: name,
      data: { attempt, exit_code: exit.code, signal: exit.signal },
    });
    beginEnding(name, exit, null);
  }

  function beginEnding(name: string, exit: Exit | null, stopped: Stop | null): void {
    const agent = context.agents.get(name)!;
    const run = record.state().agents.get(name)!;
    const now = currentAttempt(run);
    const before = endings.get(name)?.done ?? Promise.resolve();
    const tended = tenders.get(name)?.stop() ?? Promise.resolve();
    tenders.delete(name);
    const stop = new AbortController();
    const end = async () => {
      await before;
      await tended;
      const options = { run, exit, stopped, signal: stop.signal };
      const { outcome, warnings } = await endAttempt({ context, closeSession }, agent, options).catch(error => {
        const reason = `its end could not be handled: ${error instanceof Error ? error.message : String(error)}`;
        return { outcome: { ...failedOutcome(reason, now.logs), may_retry: false }, warnings: [] };
      });
      if (stop.signal.aborted) return; // somebody decided otherwise meanwhile and ends it anew
      endings.delete(name);
      keeper.unfollow(name);
      for (const warning of warnings) warnOnce(record, name, warning);
      tellMemory(name, outcome.metrics.peak_memory_mb);
      record.append({ type: 'attempt_ended', agent: name, data: { attempt: now.attempt, outcome } });
      settle(name);
      wake();
    };
    endings.set(name, { stop, done: end().catch(fail) });
  }

  function tellMemory(name: string, peak: unknown): void {
    if (typeof peak !== 'number' || peak < HIGH_MEMORY_MB) return;
    record.append({
      type: 'warning',
      agent: name,
      data: { message: `High memory usage detected (${Math.round(peak)}MB peak)`, severity: 'low' },
    });
  }

  // What an engine before us began to end is ended again from the start; every part of it may happen twice.
  function resumeEnding(run: AgentRun, vanished: ReadonlySet<string>): void {
    const name = run.request.agent_name;
    if (run.state.at === 'stopping') beginEnding(name, null, run.state.stop);
    if (run.state.at === 'verifying') beginEnding(name, run.state.exit, null);
    if (run.state.at === 'running') follow(name);
    if (run.state.at === 'running' && vanished.has(name)) exited(name, { code: null, signal: null });
    if (run.state.at === 'ended') settle(name);
  }

  function readMarks(): void {
    for (const run of record.state().agents.values()) {
      const name = run.request.agent_name;
      if (run.state.at !== 'running' || run.state.now.opened === null || isTended(name)) continue;
      const exit = readExit(attemptPlaces(context.places.workspace, name, run.state.now.attempt).mark);
      if (exit !== null) exited(name, exit);
    }
    wake();
  }

  function watchMarks(): FSWatcher | null {
    try {
      const watcher = watch(context.places.marks, (_, file) => {
        if (file !== null && !file.endsWith('.exit')) return;
        try {
          readMarks();
        } catch (error) {
          fail(error);
        }
      });
      watcher.on('error', () => watcher.close());
      return watcher;
    } catch {
      return null; // no watches left on this machine: the sweep finds everything, a little later
    }
  }

  // Two looks in a row must agree before a silent pane is believed gone.
  async function lookAround(): Promise<void> {
    if (tend !== null && performance.now() - askedForWatchdog >= WATCHDOG_MS) await wantWatchdog({ onlyDead: true });
    const panes = await context.tmux.listPanes().catch(() => null);
    if (panes === null) return; // no answer proves nothing
    const ours = panes.filter(pane => pane.tags.workspace === context.places.workspace);
    // A tended pane whose program ended is started again by its tender.
    const alive = new Set(ours.filter(pane => !pane.isDead || isTended(pane.tags.agent)).map(pane => pane.pane));
    readMarks();
    for (const run of record.state().agents.values()) {
      const name = run.request.agent_name;
      const isGone =
        run.state.at === 'running' && run.state.now.opened !== null && !alive.has(run.state.now.opened.pane);
      const looks = isGone ? (missing.get(name) ?? 0) + 1 : 0;
      missing.set(name, looks);
      if (looks >= 2) exited(name, { code: null, signal: null });
    }
  }

  function sleepUntil(at: number): Promise<void> {
    if (isRung) return Promise.resolve();
    const ms = Math.min(Math.max(at - context.clock.now(), 0), SWEEP_MS);
    return new Promise(resolve => {
      const timer = setTimeout(resolve, ms);
      ring = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  return { wake, run };
}
