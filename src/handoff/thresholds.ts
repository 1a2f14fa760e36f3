// At how many tokens a handoff begins in a window of a known or unknown size, and whether Claude Code would
// compact the conversation before. Pure.

import type { SettingsView } from './settings.ts';

// Claude Code 2.1 compacts once the last answer reached the window less this much; /context calls it its buffer.
const COMPACTION_BUFFER = 33_000;
// The windows Claude Code has today, for when nobody said which one it will be.
const SMALL_WINDOW = 200_000;
const LARGE_WINDOW = 1_000_000;

export type Thresholds = {
  soft: number;
  hard: number;
  safeMaximum: number | null; // null: the window is not known
  warnings: string[];
};

export const safeMaximum = (window: number): number => Math.max(0, window - COMPACTION_BUFFER);

export function thresholdsFor(view: SettingsView, window: number | null): Thresholds {
  const soft = softThreshold(view, window);
  const isHardChosen = view.hard_threshold.from.kind !== 'default';
  const hard = isHardChosen || view.hard_threshold.value > soft ? view.hard_threshold.value : Math.ceil(soft * 1.5);
  const limit = safeMaximum(window ?? SMALL_WINDOW);
  const warnings = [
    ...(soft >= limit ? [collision(nameOfSoft(view, window), soft, window)] : []),
    ...(hard >= limit ? [collision('hard_threshold', hard, window)] : []),
  ];
  return { soft, hard, safeMaximum: window === null ? null : limit, warnings };
}

// A share of the window is only a number once the window is known. Chosen beside context_threshold, the lower counts.
function softThreshold(view: SettingsView, window: number | null): number {
  const { context_threshold: tokens, context_threshold_percent: percent } = view;
  if (percent.value === null || window === null) return tokens.value;
  const share = Math.floor((window * percent.value) / 100);
  return tokens.from.kind === 'default' ? share : Math.min(share, tokens.value);
}

const nameOfSoft = (view: SettingsView, window: number | null) =>
  softThreshold(view, window) === view.context_threshold.value ? 'context_threshold' : 'context_threshold_percent';

function collision(name: string, tokens: number, window: number | null): string {
  const size = count(window ?? SMALL_WINDOW);
  const when = window === null ? `in a window of ${size}` : `in this window of ${size}`;
  const most = count(safeMaximum(window ?? SMALL_WINDOW));
  return `${name} is ${count(tokens)} tokens, but ${when} Claude Code compacts by itself at ${most}; keep it below`;
}

export function windowNote(window: number | null): string {
  if (window !== null) {
    return `context window ${count(window)} tokens: thresholds are safe below ${count(safeMaximum(window))}`;
  }
  const sizes = [SMALL_WINDOW, LARGE_WINDOW].map(size => `${count(safeMaximum(size))} in one of ${count(size)}`);
  return `the context window is not known here: thresholds are safe below ${sizes.join(', ')}`;
}

const count = (tokens: number) => tokens.toLocaleString('en-US');
