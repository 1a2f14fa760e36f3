// The settings in force in a folder: its project's baton.json, the environment and flags. Texts of the command
// line and the environment become values here, by the same rules as those of the file.

import { checkTogether, flagOf, mergeSettings, type SettingsView } from '../handoff/settings.ts';
import {
  type HandoffSettings,
  type SettingName,
  type SettingTexts,
  settingDefaults,
  settingTexts,
  variableOf,
} from '../protocol/config.ts';
import { Fault } from '../protocol/fault.ts';
import type { Problem } from '../protocol/request.ts';
import { checkBatonConfig } from '../request/check-shape.ts';
import { findProject, type Project } from './find-project.ts';

export type LoadedSettings = {
  project: Project;
  view: SettingsView; // of all agents that have no values of their own
  agents: Record<string, SettingsView>;
  forAgent: (name: string | null) => SettingsView;
};

export async function loadSettings(
  folder: string,
  o: { env?: Record<string, string | undefined>; flags?: SettingTexts } = {},
): Promise<LoadedSettings> {
  const project = await findProject(folder);
  const flags = toValues(o.flags ?? {}, flagOf);
  const environment = toValues(settingTexts(o.env ?? {}), variableOf);
  const problems = [...flags.problems, ...environment.problems];
  if (problems.length > 0) throw refusal(problems);
  const layers = { file: project.file, environment: environment.values, flags: flags.values };
  const forAgent = (name: string | null) => mergeSettings(layers, name);
  const names = Object.keys(project.file?.config.agents ?? {});
  const views = [forAgent(null), ...names.map(forAgent)];
  const together = views.flatMap(checkTogether);
  if (together.length > 0) throw refusal([...new Map(together.map(each => [each.message, each])).values()]);
  const agents = Object.fromEntries(names.map((name, index) => [name, views[index + 1]!]));
  return { project, view: views[0]!, agents, forAgent };
}

const refusal = (problems: Problem[]): Fault =>
  new Fault('invalid', 'these settings cannot be used', '`baton config --help` lists flags and variables', {
    problems,
  });

function toValues(texts: SettingTexts, sourceOf: (name: SettingName) => string) {
  const raw = Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [name, toValue(name as SettingName, text)]),
  );
  const { config, problems } = checkBatonConfig(raw);
  const renamed = problems.map(problem => ({ ...problem, path: sourceOf(problem.path as SettingName) }));
  return { values: (config ?? {}) as Partial<HandoffSettings>, problems: renamed };
}

function toValue(name: SettingName, text: string): unknown {
  if (typeof settingDefaults[name] === 'string') return text;
  if (/^(true|yes|on|1)$/i.test(text) && typeof settingDefaults[name] === 'boolean') return true;
  if (/^(false|no|off|0)$/i.test(text) && typeof settingDefaults[name] === 'boolean') return false;
  if (text === 'none' && settingDefaults[name] === null) return null;
  // People write 120_000 and 120k.
  const [, digits, unit] = /^([\d_]+(?:\.\d+)?)(k?)$/i.exec(text.trim()) ?? [];
  if (digits === undefined) return text;
  return Number(digits.replaceAll('_', '')) * (unit === '' ? 1 : 1000);
}
