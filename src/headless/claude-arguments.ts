// The argv of one headless session, and the lines written to its stdin. Pure.

import { handoffRule } from '../chain/build-continuation-prompt.ts';
import type { HeadlessSettings } from '../protocol/chain.ts';

export type SessionPlan = {
  sessionId: string;
  settingsFile: string;
  budgetUsd: number; // what is left of the chain's
};

export function claudeArguments(settings: HeadlessSettings, plan: SessionPlan): string[] {
  const mayGoOn = settings.limits.max_agent_continuations > 0;
  const rules = [settings.append_system_prompt, ...(mayGoOn ? [handoffRule] : [])].filter(text => text !== '');
  return [
    '-p',
    ...['--output-format', 'stream-json', '--verbose', '--input-format', 'stream-json', '--include-hook-events'],
    ...['--session-id', plan.sessionId],
    ...['--settings', plan.settingsFile],
    ...['--permission-mode', settings.permission_mode],
    ...['--max-turns', String(settings.limits.max_agent_turns)],
    // Claude Code looks at it after each answer, and ends with a clean result: the first of two watchers.
    ...['--max-budget-usd', plan.budgetUsd.toFixed(6)],
    ...(settings.model === null ? [] : ['--model', settings.model]),
    ...(rules.length === 0 ? [] : ['--append-system-prompt', rules.join('\n\n')]),
    ...settings.arguments,
  ];
}

export const promptLine = (id: string, text: string): string =>
  JSON.stringify({ type: 'user', uuid: id, message: { role: 'user', content: safePrompt(text) } });

export const spendLine = (id: string): string => controlLine(id, { subtype: 'get_usage', skip_behaviors: true });

export const interruptLine = (id: string): string => controlLine(id, { subtype: 'interrupt', cancel_queued: true });

const controlLine = (id: string, request: object): string =>
  JSON.stringify({ type: 'control_request', request_id: id, request });

// A prompt that begins like a command would be run as one.
const safePrompt = (text: string): string => (/^\s*[/!#]/.test(text) ? `The task:\n${text}` : text);
