// What a screen of Claude Code shows where its box should be: what it asks, what stands between its start and the
// first prompt and what a person does about that, and menus. Typed into any of them, a text is an answer.

import type { ScreenState } from '../protocol/screen.ts';

export const questions: readonly ScreenState[] = ['permission', 'question', 'plan'];
export const obstacles: readonly ScreenState[] = ['trust', 'onboarding', 'login', 'api_key', 'bypass', 'mcp'];
const menus: readonly ScreenState[] = ['slash_menu', 'rewind', 'exit_armed'];

export const isDialog = (state: ScreenState): boolean =>
  [questions, obstacles, menus].some(states => states.includes(state));

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
