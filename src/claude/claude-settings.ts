// The --settings file of one session, and its command line. Pure. The user's own settings stay in force
// beside it and are never edited.

import type { AgentConfig } from '../protocol/agent.ts';
import { sideChannelSettings } from '../receipts/side-channel-settings.ts';

const PERMISSION_SECONDS = 30;

export type PermissionParts = {
  config: AgentConfig;
  permissionHook: readonly string[] | null; // argv; null: no rule, nothing to ask
  folders: readonly string[]; // that the task names, besides the working folder
};
export type SettingsParts = PermissionParts & { scripts: string }; // folder of receipt.sh and status-line.sh

export function claudeSettings({ scripts, ...parts }: SettingsParts): object {
  const side = sideChannelSettings(scripts);
  const { config } = parts;
  return {
    // Pinned: after a start that was killed, Claude Code silently falls back to the other renderer.
    tui: config.renderer,
    editorMode: 'normal',
    statusLine: side.statusLine,
    hooks: { ...side.hooks, PermissionRequest: [...side.hooks.PermissionRequest, ...rulesHook(parts)] },
    permissions: permissionsOf(parts),
  };
}

// Without a screen there is nothing to report from a pane: its stream tells everything.
export const headlessClaudeSettings = (parts: PermissionParts): object => ({
  hooks: { PermissionRequest: rulesHook(parts) },
  permissions: permissionsOf(parts),
});

const permissionsOf = ({ config, folders }: PermissionParts) => ({
  defaultMode: config.permission_mode,
  additionalDirectories: [...folders],
});

function rulesHook({ permissionHook }: PermissionParts): object[] {
  if (permissionHook === null) return [];
  const command = permissionHook.map(shellQuote).join(' ');
  return [{ hooks: [{ type: 'command', command, timeout: PERMISSION_SECONDS }] }];
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
