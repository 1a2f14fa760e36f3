// What is in force, and why: defaults, baton.json, its part for one agent, the environment and flags, the later
// over the earlier, each value with where it came from. Pure; the file is read in src/project.

import {
  type BatonConfig,
  type HandoffSettings,
  type SettingName,
  settingDefaults,
  settingNames,
  variableOf,
} from '../protocol/config.ts';
import type { Problem } from '../protocol/request.ts';

export type ValueSource =
  | { kind: 'default' }
  | { kind: 'file'; path: string; agent: string | null }
  | { kind: 'environment'; variable: string }
  | { kind: 'flag'; flag: string };
export type SettingValue<T> = { value: T; from: ValueSource };
export type SettingsView = { [K in SettingName]: SettingValue<HandoffSettings[K]> };

export type SettingLayers = {
  file: { path: string; config: BatonConfig } | null;
  environment: Partial<HandoffSettings>;
  flags: Partial<HandoffSettings>;
};

export const flagOf = (name: SettingName): string => `--${name.replaceAll('_', '-')}`;

export function mergeSettings({ file, environment, flags }: SettingLayers, agent: string | null): SettingsView {
  const ofAgent = agent !== null && Object.hasOwn(file?.config.agents ?? {}, agent) ? file!.config.agents![agent]! : {};
  const view = settingNames.map(name => {
    const found = [
      layer(flags, name, { kind: 'flag', flag: flagOf(name) }),
      layer(environment, name, { kind: 'environment', variable: variableOf(name) }),
      layer(ofAgent, name, { kind: 'file', path: file?.path ?? '', agent }),
      layer(file?.config ?? {}, name, { kind: 'file', path: file?.path ?? '', agent: null }),
      layer(settingDefaults, name, { kind: 'default' }),
    ].find(value => value !== null);
    return [name, found] as const;
  });
  return withRoomAbove(Object.fromEntries(view) as SettingsView);
}

function layer(values: object, name: SettingName, from: ValueSource): SettingValue<unknown> | null {
  const value: unknown = Object.hasOwn(values, name) ? Reflect.get(values, name) : undefined;
  return value === undefined ? null : { value, from };
}

// Who only raises context_threshold means the hard one to stay above it.
function withRoomAbove(view: SettingsView): SettingsView {
  const { context_threshold: soft, hard_threshold: hard } = view;
  if (hard.from.kind !== 'default' || hard.value > soft.value) return view;
  return { ...view, hard_threshold: { value: Math.ceil(soft.value * 1.5), from: hard.from } };
}

export const settingsOf = (view: SettingsView): HandoffSettings =>
  Object.fromEntries(settingNames.map(name => [name, view[name].value])) as HandoffSettings;

// Values that are each good, but not together.
export function checkTogether(view: SettingsView): Problem[] {
  const problems: Problem[] = [];
  const problem = (path: SettingName, message: string, cure: string) => problems.push({ path, message, cure });
  const { context_threshold: soft, hard_threshold: hard } = view;
  if (hard.value <= soft.value) {
    const message = `"hard_threshold" is ${hard.value}, which is not above "context_threshold" (${soft.value})`;
    problem('hard_threshold', message, `write a number above ${soft.value}`);
  }
  const [document, template, archive] = [view.handoff_path, view.template_path, view.archive_dir].map(({ value }) =>
    namesIn(value),
  ) as [string, string, string];
  if (document === template) {
    problem('template_path', '"template_path" and "handoff_path" are one file', 'give the template a file of its own');
  }
  for (const [name, file] of [['handoff_path', document] as const, ['template_path', template] as const]) {
    if (`${file}/`.startsWith(`${archive}/`) || `${archive}/`.startsWith(`${file}/`)) {
      problem(name, `"${name}" and "archive_dir" lie in one another`, 'keep the archive in a folder of its own');
    }
  }
  return problems;
}

const namesIn = (path: string) =>
  path
    .split('/')
    .filter(name => name !== '' && name !== '.')
    .join('/');
