// Everything about one agent, for its page.

import type { ExecutionRequest } from '../../protocol/request.ts';

export type DetailAttempt = { attempt: number; status: string; reason: string | null; seconds: number | null };
export type DetailCheck = { name: string; wanted: string; found: string; evidence: string; isMet: boolean | null };
export type DetailStory = { at: number; text: string };

export type Detail = {
  key: string;
  request: ExecutionRequest['agents'][number] | null;
  outputs: readonly { name: string; path: string; isThere: boolean }[];
  checks: readonly DetailCheck[];
  attempts: readonly DetailAttempt[];
  story: readonly DetailStory[]; // oldest first
  pane: string | null; // as tmux shows it, with its colours; not yet safe to show
};
