// baton.json: what a project sets about handoffs. The names are also those of flags and variables; the defaults
// live here and nowhere else.

import { z } from 'zod';
import { AgentName, PathText } from './text.ts';

const Tokens = z.int().min(1).max(100_000_000);

// Where it leads on the disk is looked at when it is used; here only what no project can mean.
const ProjectPath = PathText.superRefine((path, context) => {
  const refuse = (message: string) => context.addIssue({ code: 'custom', message });
  if (path.startsWith('/')) return refuse('is absolute; write it from the folder of the project');
  const names = path.split('/').filter(name => name !== '' && name !== '.');
  if (names.length === 0) return refuse('names the project itself; name something inside it');
  if (names.some(name => name.toLowerCase() === '.git')) return refuse('leads into git; choose another place');
});

const QuietHours = z.string().superRefine((text, context) => {
  const [, from, to] = /^((?:[01]\d|2[0-3]):[0-5]\d)-((?:[01]\d|2[0-3]):[0-5]\d)$/.exec(text) ?? [];
  const refuse = (message: string) => context.addIssue({ code: 'custom', message });
  if (from === undefined) return refuse('is no span of the day; write for example 22:00-07:00');
  if (from === to) return refuse('is no span: both ends are the same');
});

const perAgent = {
  context_threshold: Tokens.describe('Tokens in the context at which an agent is handed off.'),
  context_threshold_percent: z
    .number()
    .gt(0)
    .max(100)
    .nullable()
    .describe('The same as a share of the window. With both set, the lower one counts.'),
  hard_threshold: Tokens.describe('Tokens from which a handoff no longer waits for the agent to be quiet.'),
  handoff_path: ProjectPath.describe('The document.'),
  template_path: ProjectPath.describe('What the document has to look like.'),
  archive_dir: ProjectPath.describe('Where earlier documents go.'),
  handoff_size_threshold: z.int().min(10).max(1_000_000).describe('Lines over which a document is archived.'),
  auto_commit: z.boolean().describe('Commit the document; false: wait for your commit before the clear.'),
  interrupt_turns: z.boolean().describe('Past hard_threshold, end a running turn with Esc.'),
  max_handoffs: z.int().min(1).max(1_000_000).nullable().describe('At most this many for one agent; null: no limit.'),
};

export const HandoffSettings = z.strictObject({
  ...perAgent,
  max_concurrent_handoffs: z.int().min(1).max(1000).describe('Handoffs at once on this machine.'),
  check_interval: z.int().min(10).max(604_800).describe('Seconds between two checks of an orchestrator pane.'),
  quiet_hours: QuietHours.nullable().describe('No check in these hours of the day, e.g. 22:00-07:00; null: none.'),
  check_only_when_changed: z.boolean().describe('No check when nothing happened since the last one.'),
});
export type HandoffSettings = z.infer<typeof HandoffSettings>;
export type SettingName = keyof HandoffSettings;

export const settingDefaults: HandoffSettings = {
  context_threshold: 100_000,
  context_threshold_percent: null,
  hard_threshold: 150_000,
  handoff_path: 'docs/HANDOFF.md',
  template_path: 'docs/HANDOFF-template.md',
  archive_dir: 'docs/HANDOFF-archive/',
  handoff_size_threshold: 500,
  auto_commit: true,
  interrupt_turns: false,
  max_handoffs: null,
  max_concurrent_handoffs: 2,
  check_interval: 300,
  quiet_hours: null,
  check_only_when_changed: true,
};

export const settingNames = Object.keys(settingDefaults) as SettingName[];
export const agentSettingNames = Object.keys(perAgent) as (keyof typeof perAgent)[];

export const NotifyCommand = z
  .array(z.string().refine(part => !part.includes('\0'), 'holds a NUL character'))
  .min(1)
  .max(100);

export const BatonConfig = HandoffSettings.partial().extend({
  $schema: z.string().optional().describe('For editors.'),
  notify: NotifyCommand.optional().describe(
    'Program and arguments that are told when somebody is needed; a JSON object comes on its stdin.',
  ),
  agents: z
    .record(AgentName, z.strictObject(perAgent).partial())
    .optional()
    .describe('Other values for single agents, by their name.'),
});
export type BatonConfig = z.infer<typeof BatonConfig>;

export const variableOf = (name: SettingName): string => `BATON_${name.toUpperCase()}`;

// As they were typed, or stand in an environment. An empty variable is one that was not set: shells cannot say it better.
export type SettingTexts = Partial<Record<SettingName, string>>;

export function settingTexts(env: Readonly<Record<string, string | undefined>>): SettingTexts {
  const given = settingNames.filter(name => (env[variableOf(name)] ?? '') !== '');
  return Object.fromEntries(given.map(name => [name, env[variableOf(name)]!]));
}
