// Did the attempt succeed? Decided from evidence alone: exit code, outputs on the disk, measured
// criteria, and last what the agent says of itself, which can only make things worse.

import type { AgentResult } from '../protocol/agent.ts';
import type { AttemptOutcome } from '../protocol/event.ts';
import type { Evidence, Measured } from '../protocol/report.ts';
import type { AgentRequest, Criterion } from '../protocol/request.ts';
import type { Exit, Stop } from './run-state.ts';

// What a check told: a value, or why there is none.
export type CheckFact = { value: Measured; complaint: string | null };

export type AttemptFacts = {
  exit: Exit;
  exitWords: string | null; // what the program itself told about a failure
  stopped: Stop | null;
  outputs: Record<string, { path: string; complaint: string | null }>;
  result: AgentResult | null;
  resultComplaint: string | null;
  checks: Record<string, CheckFact>;
};

export type Verdict = Pick<
  AttemptOutcome,
  'status' | 'reason' | 'may_retry' | 'outputs_produced' | 'success_criteria_met' | 'success_criteria_evidence'
>;

export function judgeAttempt(request: AgentRequest, facts: AttemptFacts): Verdict {
  const criteria = judgeCriteria(request.task.success_criteria, facts);
  const complaints = facts.stopped ? [stopReason(facts.stopped, request.timeout)] : complaintsOf(facts, criteria.unmet);
  const status =
    facts.stopped?.cause === 'timeout' || facts.stopped?.cause === 'total_timeout'
      ? 'timeout'
      : complaints.length > 0
        ? 'failure'
        : 'success';
  return {
    status,
    reason: complaints.length > 0 ? complaints.join('; ') : null,
    may_retry: facts.stopped === null || facts.stopped.mayRetry,
    outputs_produced: Object.fromEntries(
      Object.entries(facts.outputs).flatMap(([name, output]) =>
        output.complaint === null ? [[name, output.path]] : [],
      ),
    ),
    success_criteria_met: criteria.met,
    success_criteria_evidence: criteria.evidence,
  };
}

// Whether it is worth asking the checks at all: they may take minutes, and cannot save a failed attempt.
export function needsChecks(facts: Omit<AttemptFacts, 'checks'>): boolean {
  return facts.stopped === null && complaintsOf(facts, []).length === 0;
}

function complaintsOf(facts: Omit<AttemptFacts, 'checks'>, unmet: string[]): string[] {
  const complaints: string[] = [];
  const { code, signal } = facts.exit;
  if (code === null) complaints.push('it vanished without an exit code (its tmux server or launcher was killed)');
  else if (signal !== null) complaints.push(`killed by signal ${signal} (exit code ${code})`);
  else if (code !== 0) complaints.push(facts.exitWords ?? `exit code ${code}`);
  for (const [name, output] of Object.entries(facts.outputs)) {
    if (output.complaint !== null) complaints.push(`output "${name}" ${output.complaint}`);
  }
  if (facts.resultComplaint !== null) complaints.push(facts.resultComplaint);
  else if (facts.result && facts.result.status !== 'success') {
    complaints.push(
      `the agent itself reports "${facts.result.status}"${facts.result.summary ? `: ${facts.result.summary}` : ''}`,
    );
  }
  // A failed attempt was not checked, so what its criteria lack says nothing more.
  return complaints.length > 0 ? complaints : unmet;
}

function stopReason({ cause, reason }: Stop, timeout: number): string {
  if (cause === 'gave_up') return reason ?? 'it was given up';
  if (cause === 'timeout') return `it took longer than its timeout of ${timeout} s`;
  return cause === 'cancelled' ? 'cancelled' : 'the execution ran out of time';
}

type Criteria = { met: Record<string, Measured>; evidence: Record<string, Evidence>; unmet: string[] };

function judgeCriteria(wanted: Record<string, Criterion>, facts: AttemptFacts): Criteria {
  const judged: Criteria = { met: {}, evidence: {}, unmet: [] };
  for (const [name, want] of Object.entries(wanted)) {
    const check = ownValue(facts.checks, name);
    const reported = ownValue(facts.result?.criteria ?? {}, name);
    const value = check ? check.value : (reported ?? null);
    judged.met[name] = value;
    judged.evidence[name] = check ? 'checked' : reported !== undefined ? 'reported' : 'none';
    const complaint = check?.complaint ?? missing(judged.evidence[name]) ?? mismatch(want, value);
    if (complaint !== null) judged.unmet.push(`criterion "${name}" ${complaint}`);
  }
  return judged;
}

// Of one criterion of an attempt that is over, as it was judged: null for one that was not looked at.
export function wasMet(name: string, wanted: Criterion, outcome: AttemptOutcome): boolean | null {
  const evidence = ownValue(outcome.success_criteria_evidence, name);
  if (outcome.status === 'success') return true;
  if (outcome.reason?.includes(`criterion "${name}" `)) return false;
  if (evidence === undefined || evidence === 'none') return null;
  return mismatch(wanted, ownValue(outcome.success_criteria_met, name) ?? null) === null;
}

// A criterion may be called "constructor".
const ownValue = <T>(record: Record<string, T>, name: string): T | undefined =>
  Object.hasOwn(record, name) ? record[name] : undefined;

const missing = (evidence: Evidence | undefined): string | null =>
  evidence === 'none' ? 'has no evidence: add a check to agent.json, or report it in agent_result.json' : null;

function mismatch(want: Criterion, value: Measured): string | null {
  if (typeof want === 'number') {
    if (typeof value !== 'number') return `should be at least ${want}, but ${JSON.stringify(value)} is no number`;
    return value >= want ? null : `is ${value}, should be at least ${want}`;
  }
  return value === want ? null : `is ${JSON.stringify(value)}, should be ${JSON.stringify(want)}`;
}
