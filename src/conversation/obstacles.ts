// What stands between a started Claude Code and its first prompt, and what a person does about it.

import type { ScreenState } from '../protocol/screen.ts';

const cures: Partial<Record<ScreenState, string>> = {
  trust: 'The folder is not trusted. Give --trust DIR for a folder you know, or open it once with `claude`',
  onboarding: 'Claude Code was never set up for this user. Run `claude` once by hand',
  login: 'Nobody is logged in. Run `claude` and log in, or set ANTHROPIC_API_KEY',
  api_key: 'It asks whether to use the API key of the environment. Run `claude` once and answer, or unset the key',
  bypass: 'It asks to accept bypassPermissions. Accept once by hand, or use another permission_mode',
  mcp: 'The project brings MCP servers nobody has approved. Open it once with `claude` and choose',
};

export const dialogCure = (state: ScreenState): string =>
  cures[state] ?? 'Look with `baton attach`, answer by hand, and try again';
