// Keeps a list of messages short enough to read. Pure.

const MAX_FINDINGS = 50;

export function capped(messages: string[]): string[] {
  if (messages.length <= MAX_FINDINGS) return messages;
  return [...messages.slice(0, MAX_FINDINGS), `… and ${messages.length - MAX_FINDINGS} more of this kind`];
}
