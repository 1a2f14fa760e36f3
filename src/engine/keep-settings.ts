// The settings of handoffs that the engine's environment gives, kept for its agents: the watchdog has another
// environment, and watches the agents of many.

import { writeJson } from '../files/write-file.ts';
import { settingTexts } from '../protocol/config.ts';
import type { EngineContext } from './context.ts';

export async function keepSettings({ environment, places }: EngineContext): Promise<void> {
  const given = settingTexts(environment);
  // A run that is resumed without any keeps those it began with.
  if (Object.keys(given).length > 0) await writeJson(places.settings, given);
}
