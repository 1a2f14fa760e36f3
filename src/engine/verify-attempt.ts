// What really came of an attempt: outputs on the disk, the agent's own result, the checks, the commits.
// Collects the facts; the verdict is src/run/judge-attempt.ts.

import { readRegular } from '../files/read-file.ts';
import { readResult } from '../files/read-result.ts';
import { changesSince } from '../git/git-facts.ts';
import type { AttemptOutcome } from '../protocol/event.ts';
import { type AttemptFacts, judgeAttempt, needsChecks } from '../run/judge-attempt.ts';
import type { Attempt, Exit, Stop } from '../run/run-state.ts';
import { attemptPlaces } from '../run/workspace-places.ts';
import { claudeReport } from './claude-report.ts';
import type { EngineContext, SettledAgent } from './context.ts';
import { type ChainEnd, chainWords, isCutOff } from './end-chain.ts';
import { lookAtOutputs } from './look-at-output.ts';
import { type Before, environmentOf } from './prepare-attempt.ts';
import { providerOf } from './provider.ts';
import { runCheck } from './run-check.ts';

export type Ending = {
  now: Attempt;
  exit: Exit;
  stopped: Stop | null;
  peakMemoryMb: number | null;
  chain: ChainEnd | null; // of claude-headless
  signal: AbortSignal;
};

export async function verifyAttempt(
  context: EngineContext,
  agent: SettledAgent,
  ending: Ending,
): Promise<AttemptOutcome> {
  const places = attemptPlaces(context.places.workspace, agent.request.agent_name, ending.now.attempt);
  const before = await readBefore(places.beforeFile);
  const outputs = await lookAtOutputs(agent, context.roots, before);
  const { result, resultComplaint } = await readResult(places.resultFile, providerOf(agent.config).isClaude);
  const chain = ending.chain?.result ?? null;
  const strict = { exit: ending.exit, exitWords: chainWords(chain), stopped: ending.stopped };
  const work = { outputs, result, resultComplaint };
  const cleanly = { ...work, ...strict, exit: { code: 0, signal: null } };
  const facts = isCutOff(chain) && needsChecks(cleanly) ? cleanly : { ...work, ...strict };
  const checks = needsChecks(facts) ? await runChecks(context, agent, ending) : {};
  const changes = await Promise.all((before?.repositories ?? []).map(changesSince));
  const verdict = judgeAttempt(agent.request, { ...facts, checks });
  return {
    ...verdict,
    may_retry: verdict.may_retry && (ending.chain?.mayRetry ?? true),
    ...(ending.chain?.isRefused ? { refused: true } : {}),
    exit_code: ending.exit.code,
    signal: ending.exit.signal,
    logs: ending.now.logs,
    metrics: { ...result?.metrics, peak_memory_mb: ending.peakMemoryMb },
    summary: result?.summary ?? null,
    files_modified: changes.flatMap(change => change.files),
    commits_made: changes.flatMap(change => change.commits),
    claude: await claudeReport(context, agent, ending),
  };
}

export type Contract = { complaints: string[]; isHopeless: boolean };

// The same look while the agent is still there to mend what is missing.
export async function lookAtContract(
  context: EngineContext,
  agent: SettledAgent,
  now: Attempt,
  signal: AbortSignal,
): Promise<Contract> {
  const places = attemptPlaces(context.places.workspace, agent.request.agent_name, now.attempt);
  const outputs = await lookAtOutputs(agent, context.roots, await readBefore(places.beforeFile));
  const { result, resultComplaint } = await readResult(places.resultFile, false);
  const facts = { exit: { code: 0, signal: null }, exitWords: null, stopped: null, outputs, result, resultComplaint };
  const checks = needsChecks(facts) ? await runChecks(context, agent, { now, signal }) : {};
  const { status, reason } = judgeAttempt(agent.request, { ...facts, checks });
  const missing = result === null && resultComplaint === null ? ['the result file is not written'] : [];
  const complaints = [...(status === 'success' ? [] : [reason ?? status]), ...missing];
  // Somebody who says that it failed is believed; more nudging would only teach it to lie.
  return { complaints, isHopeless: result !== null && result.status !== 'success' };
}

async function runChecks(
  context: EngineContext,
  agent: SettledAgent,
  { now, signal }: Pick<Ending, 'now' | 'signal'>,
): Promise<AttemptFacts['checks']> {
  const { logFolder } = attemptPlaces(context.places.workspace, agent.request.agent_name, now.attempt);
  const checks: AttemptFacts['checks'] = {};
  // One after the other: checks of one agent often share a build folder.
  for (const name of Object.keys(agent.request.task.success_criteria)) {
    const check = Object.hasOwn(agent.config.checks, name) ? agent.config.checks[name] : undefined;
    if (!check || signal.aborted) continue;
    checks[name] = await runCheck(check, {
      agentPath: agent.agentPath,
      cwd: agent.cwd,
      env: environmentOf(context, agent, now.attempt),
      logFile: `${logFolder}/check-${name.replace(/[^A-Za-z0-9_-]/g, '_')}.log`,
      redact: context.redactor.text,
      signal,
    });
  }
  return checks;
}

async function readBefore(file: string): Promise<Before | null> {
  try {
    return JSON.parse((await readRegular(file)).toString('utf8')) as Before;
  } catch {
    return null; // killed before it was written: then there is nothing to compare with
  }
}
