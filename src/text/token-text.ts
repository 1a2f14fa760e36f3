// Tokens and costs, short enough for a column; unknown is a question mark.

export function tokensText(tokens: number | null): string {
  if (tokens === null) return '?';
  if (tokens < 1000) return String(tokens);
  if (tokens < 999_500) return `${Math.round(tokens / 1000)}k`;
  return `${(tokens / 1_000_000).toFixed(tokens < 9_950_000 ? 2 : 1)}M`;
}

export const costText = (usd: number | null): string =>
  usd === null ? '$?' : usd < 100 ? `$${usd.toFixed(2)}` : `$${Math.round(usd)}`;
