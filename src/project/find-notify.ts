// The user's command for notices: `notify` of the project's baton.json, else of the user's own. It is a program that
// will run, so it is read once, when a person starts something; what an agent writes there later changes nothing.

import { homedir } from 'node:os';
import path from 'node:path';
import { CONFIG_NAME, type Project } from './find-project.ts';
import { readConfig } from './read-config.ts';

export type Notify = { argv: string[]; from: string };

export const userConfigFile = (env: Readonly<Record<string, string | undefined>>): string =>
  path.join(env.XDG_CONFIG_HOME || path.join(env.HOME || homedir(), '.config'), 'baton', CONFIG_NAME);

export async function findNotify(
  project: Pick<Project, 'file'> | null,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Notify | null> {
  const own = project?.file;
  if (own?.config.notify !== undefined) return { argv: own.config.notify, from: own.path };
  const file = userConfigFile(env);
  const config = await readConfig(file);
  return config?.notify === undefined ? null : { argv: config.notify, from: file };
}
