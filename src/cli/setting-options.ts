// The settings of handoffs as options of a command, and what was typed for them. Written out, as the table of
// schemas is: protocol/config.ts would load zod for every command. A test compares.

import type { CommandInput, OptionSpec } from './command-spec.ts';

export const settingOptions = {
  'context-threshold': { summary: 'tokens at which an agent is handed off', value: 'TOKENS' },
  'context-threshold-percent': { summary: 'the same as a share of the window', value: 'PERCENT' },
  'hard-threshold': { summary: 'tokens from which it waits no longer for quiet', value: 'TOKENS' },
  'handoff-path': { summary: 'the document', value: 'FILE', words: 'file' },
  'template-path': { summary: 'its template', value: 'FILE', words: 'file' },
  'archive-dir': { summary: 'where earlier documents go', value: 'DIR', words: 'folder' },
  'handoff-size-threshold': { summary: 'lines over which a document is archived', value: 'LINES' },
  'auto-commit': { summary: 'whether the document is committed', value: 'true|false', words: ['true', 'false'] },
  'interrupt-turns': {
    summary: 'whether Esc may end a turn past hard_threshold',
    value: 'true|false',
    words: ['true', 'false'],
  },
  'max-handoffs': { summary: 'at most this many for one agent, or none', value: 'N' },
  'max-concurrent-handoffs': { summary: 'handoffs at once on this machine', value: 'N' },
  'check-interval': { summary: 'seconds between two checks of an orchestrator', value: 'SECONDS' },
  'quiet-hours': { summary: 'no check between these, e.g. 22:00-07:00', value: 'SPAN' },
  'check-only-when-changed': {
    summary: 'whether a check needs something new',
    value: 'true|false',
    words: ['true', 'false'],
  },
} as const satisfies Record<string, OptionSpec>;

export function readSettingFlags(input: CommandInput): Record<string, string> {
  const given = Object.keys(settingOptions).flatMap(option => {
    const text = input.text(option);
    return text === undefined ? [] : [[option.replaceAll('-', '_'), text] as const];
  });
  return Object.fromEntries(given);
}
