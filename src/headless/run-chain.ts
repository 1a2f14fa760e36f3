// The chain as a library function: settings of the caller's, checked, and nothing shown unless it is asked for.

import { HeadlessSettings } from '../protocol/chain.ts';
import { Fault } from '../protocol/fault.ts';
import { type ContinuationOptions, runWithContinuation } from './run-with-continuation.ts';

export type ChainWish = { settings: unknown } & Partial<Omit<ContinuationOptions, 'settings'>>;

export function runChain({ settings, print, complain, signal }: ChainWish) {
  return runWithContinuation({
    settings: checkSettings(settings),
    print: print ?? (() => {}),
    complain: complain ?? (() => {}),
    signal: signal ?? new AbortController().signal,
  });
}

export function checkSettings(value: unknown): HeadlessSettings {
  const parsed = HeadlessSettings.safeParse(value);
  if (parsed.success) return parsed.data;
  const wrong = parsed.error.issues.map(issue => `${issue.path.join('.') || 'the whole'}: ${issue.message}`);
  throw new Fault('invalid', `headless settings: ${wrong.join('; ')}`, 'correct them as docs/headless.md tells');
}
