// How a session ended, told apart from its last result, its exit and what stopped it. Pure. A result may say
// "success" and be an API error (is_error), or be a success whose tools were refused.

import type { Handoff } from '../chain/parse-handoff.ts';
import type { PermissionDenial, SessionResult } from '../protocol/chain.ts';
import type { EndOfTurn } from './read-stream.ts';
import { inputWords } from './render-event.ts';

export type SessionStop = 'cost_cap' | 'timeout' | 'stalled' | 'cancelled';

export type SessionFacts = {
  stop: SessionStop | null; // why we ended it, if we did
  results: readonly EndOfTurn[];
  wasAsked: boolean; // for a handoff, because the context was full
  handoff: Handoff | null;
  exit: { code: number | null; signal: string | null };
  complaints: string; // the end of its stderr
};

export type SessionVerdict = Pick<SessionResult, 'ended_by' | 'reason' | 'api_error_status' | 'permission_denials'>;

const MAX_INPUT = 300;

export function judgeSession(facts: SessionFacts): SessionVerdict {
  const denials = denialsOf(facts.results);
  const say = (ended_by: SessionResult['ended_by'], reason: string | null = null, status: number | null = null) => ({
    ended_by,
    reason,
    api_error_status: status,
    permission_denials: denials,
  });
  const last = facts.results.at(-1);
  if (facts.stop !== null && facts.stop !== 'cost_cap') return say(facts.stop, stopWords[facts.stop]);
  if (last && isTooLong(last)) return say('context_full', last.text || 'the prompt is too long', last.apiStatus);
  if (last && isApiError(last)) return say('api_error', last.text || 'API error', last.apiStatus);
  if (facts.stop === 'cost_cap') return say('cost_cap', stopWords.cost_cap);
  if (last?.subtype === 'error_max_budget_usd') return say('cost_cap', stopWords.cost_cap);
  if (facts.handoff?.isComplete) return say(denials.length > 0 ? 'completed_with_denials' : 'completed');
  if (facts.wasAsked) return say('context_full', 'its context was full');
  if (!last) return say('error', `Claude Code ended without a result (${exitWords(facts)})`);
  if (last.subtype === 'error_max_turns') return say('max_turns', last.text || 'its turns ran out');
  if (last.isError || last.subtype !== 'success') return say('error', last.text || last.subtype);
  if (facts.exit.code !== 0) return say('error', `Claude Code answered, then failed (${exitWords(facts)})`);
  if (denials.length > 0) {
    const tools = [...new Set(denials.map(denial => denial.tool))].join(', ');
    return say('completed_with_denials', `${denials.length} tool calls were not permitted: ${tools}`);
  }
  return say('completed');
}

export const hitMaxTurns = (results: readonly EndOfTurn[]): boolean => results.at(-1)?.subtype === 'error_max_turns';

export const isTooLong = (end: EndOfTurn): boolean => end.isError && end.terminalReason === 'prompt_too_long';

const isApiError = (end: EndOfTurn): boolean =>
  end.isError && (end.apiStatus !== null || end.terminalReason === 'api_error' || end.subtype === 'success');

const stopWords: Record<SessionStop, string> = {
  cost_cap: 'max_chain_cost_usd is spent',
  timeout: 'it took longer than max_seconds',
  stalled: 'its stream said nothing for max_silence_seconds',
  cancelled: 'cancelled',
};

function exitWords({ exit, complaints }: SessionFacts): string {
  const how = exit.signal === null ? `exit code ${exit.code}` : `signal ${exit.signal}`;
  return complaints.trim() === '' ? how : `${how}: ${complaints.trim()}`;
}

const denialsOf = (results: readonly EndOfTurn[]): PermissionDenial[] =>
  results.flatMap(end =>
    end.denials.map(({ tool, input }) => ({ tool, input: inputWords(input).slice(0, MAX_INPUT).toWellFormed() })),
  );
