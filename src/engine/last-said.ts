// The last line of a log that is worth a place in a status: of a conversation only what the agent itself said, not its
// prompts, tool calls and their output. Pure.

import { plainText } from '../files/plain-text.ts';
import type { AgentConfig } from '../protocol/agent.ts';

const LINE_CELLS = 300;

export type Provider = AgentConfig['provider'];

// As transcript-log.ts and headless/render-event.ts write them.
const isSaid: Record<Provider, (line: string) => boolean> = {
  claude: line => !/^[>|*]( |$)/.test(line),
  'claude-headless': line => /^[●!] /.test(line),
  command: () => true,
};

export function lastSaid(text: string, provider: Provider): string | null {
  const lines = text.split(/[\r\n]+/).map(line => plainText(line, { max: LINE_CELLS }).trim());
  return lines.findLast(line => line !== '' && isSaid[provider](line)) ?? null;
}
