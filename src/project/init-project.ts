// `baton init`: makes a folder ready for handoffs, or takes out what it put there. Everything is looked at before
// anything is touched, and text of others is never overwritten.

import { rmdir } from 'node:fs/promises';
import path from 'node:path';
import { settingsOf } from '../handoff/settings.ts';
import { Fault } from '../protocol/fault.ts';
import type { Problem } from '../protocol/request.ts';
import { realFolder } from './find-project.ts';
import { addSteps, type Deed, type Looks, removeSteps, type Step } from './init-steps.ts';
import { initTexts } from './init-texts.ts';
import { loadSettings } from './load-settings.ts';
import { placeIn } from './project-files.ts';

export type Done = { path: string; deed: Deed; why: string };
export type Initiated = { folder: string; repository: string | null; done: Done[] };

export type InitWish = { remove: boolean; dryRun: boolean; env: Record<string, string | undefined> };

export async function initProject(start: string, o: InitWish): Promise<Initiated> {
  const folder = await realFolder(start);
  const { project, view } = await loadSettings(folder, { env: o.env });
  if (project.file !== null && project.folder !== folder) {
    const cure = `run it there: baton init ${project.folder} (or give "${folder}" a baton.json of its own)`;
    throw new Fault('refused', `the project of "${folder}" is "${project.folder}", by its baton.json`, cure);
  }
  const settings = settingsOf(view);
  const order = { folder, settings, texts: await initTexts(settings) };
  const steps = await allSteps(o.remove ? removeSteps(order) : addSteps(order));
  if (!o.dryRun) {
    for (const step of steps) await step.take();
    if (o.remove)
      await removeEmptyFolders(
        folder,
        steps.map(step => step.path),
      );
  }
  const done = steps.map(({ path, deed, why }) => ({ path, deed, why }));
  return { folder, repository: project.repository, done };
}

async function allSteps(looks: Looks): Promise<Step[]> {
  const results = await Promise.allSettled(looks.map(([, step]) => step));
  const problems: Problem[] = [];
  const steps = results.flatMap((result, index) => {
    if (result.status === 'fulfilled') return [result.value];
    if (!(result.reason instanceof Fault)) throw result.reason;
    problems.push({ path: looks[index]![0], message: result.reason.message, cure: result.reason.cure });
    return [];
  });
  if (problems.length === 0) return steps;
  const [first] = problems;
  if (problems.length === 1) throw new Fault('refused', `${first!.message}; nothing was touched`, first!.cure);
  const message = 'this folder cannot be made ready as it is; nothing was touched';
  throw new Fault('refused', message, 'correct what is listed and try again', { problems });
}

// Only folders on the way to our files, and only empty ones: rmdir itself refuses all others.
async function removeEmptyFolders(folder: string, names: readonly string[]): Promise<void> {
  for (const name of names) {
    for (let at = path.dirname(name); at !== '.' && at !== '/'; at = path.dirname(at)) {
      const place = await placeIn(folder, at);
      if (place !== path.join(folder, at)) break; // a link would be left without its target
      const isGone = await rmdir(place).then(
        () => true,
        error => (error as NodeJS.ErrnoException).code === 'ENOENT',
      );
      if (!isGone) break;
    }
  }
}
