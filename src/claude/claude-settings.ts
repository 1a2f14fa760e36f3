// The --settings file of one session, and its command line. Pure. The user's own settings stay in force
// beside it and are never edited.

import type { AgentConfig } from '../protocol/agent.ts';
import { sideChannelSettings } from '../receipts/side-channel-settings.ts';

const PERMISSION_SECONDS = 30;

export type SettingsParts = {
  config: AgentConfig;
  scripts: string; // folder of receipt.sh and status-line.sh
  permissionHook: readonly string[] | null; // argv; null: no rule, nothing to ask
  folders: readonly string[]; // that the task names, besides the working folder
};

export function claudeSettings({ config, scripts, permissionHook, folders }: SettingsParts): object {
  const side = sideChannelSettings(scripts);
  const command = permissionHook?.map(shellQuote).join(' ');
  const rules = command === undefined ? [] : [{ hooks: [{ type: 'command', command, timeout: PERMISSION_SECONDS }] }];
  return {
    // Pinned: after a start that was killed, Claude Code silently falls back to the other renderer.
    tui: config.renderer,
    editorMode: 'normal',
    statusLine: side.statusLine,
    hooks: { ...side.hooks, PermissionRequest: [...side.hooks.PermissionRequest, ...rules] },
    permissions: { defaultMode: config.permission_mode, additionalDirectories: [...folders] },
  };
}

export type LaunchParts = {
  claude: string;
  settingsFile: string;
  systemPromptFile: string;
  model: string | undefined;
  session: { new: string } | { resume: string };
};

export function claudeCommand(parts: LaunchParts): string[] {
  return [
    parts.claude,
    '--settings',
    parts.settingsFile,
    '--append-system-prompt-file',
    parts.systemPromptFile,
    ...(parts.model === undefined ? [] : ['--model', parts.model]),
    ...('new' in parts.session ? ['--session-id', parts.session.new] : ['--resume', parts.session.resume]),
  ];
}

const shellQuote = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;
