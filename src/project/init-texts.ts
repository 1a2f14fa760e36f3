// The texts that `baton init` hands out, with the paths of the project filled in.

import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { HandoffSettings } from '../protocol/config.ts';

export type InitTexts = { template: string; section: string; skill: string };

const SHIPPED = fileURLToPath(new URL('../../templates/handoff', import.meta.url));

// As latin1, like every text of a project that is compared or written.
export const shippedTemplate = (): Promise<string> => readFile(path.join(SHIPPED, 'HANDOFF-template.md'), 'latin1');

export async function initTexts(settings: HandoffSettings): Promise<InitTexts> {
  const fill = (text: string) =>
    text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => String(Reflect.get(settings, name)));
  const [section, skill] = await Promise.all(
    ['CLAUDE-section.md', 'SKILL.md'].map(name => readFile(path.join(SHIPPED, name), 'utf8')),
  );
  return { template: await shippedTemplate(), section: fill(section!), skill: fill(skill!) };
}
