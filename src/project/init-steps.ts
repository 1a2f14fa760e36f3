// What `baton init` would do to a project, and to undo it: one step a file, each looked at before any is taken.
// A step that meets something it must not touch is a Fault of its own; the caller tells all of them at once.

import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { HandoffSettings } from '../protocol/config.ts';
import { Fault } from '../protocol/fault.ts';
import type { InitTexts } from './init-texts.ts';
import {
  addSection,
  findSection,
  isSignedByUs,
  removeSection,
  replaceSection,
  type Section,
  sameContent,
  signed,
} from './marks.ts';
import { createText, isThere, placeIn, readText, removeText, replaceText } from './project-files.ts';

export type Deed = 'create' | 'update' | 'remove' | 'keep';
export type Step = { path: string; deed: Deed; why: string; take: () => Promise<void> };
export type Looks = readonly (readonly [path: string, step: Promise<Step>])[];
export type InitOrder = { folder: string; settings: HandoffSettings; texts: InitTexts };

export const SKILL_FILE = '.claude/skills/baton-handoff/SKILL.md';
export const CLAUDE_FILE = 'CLAUDE.md';

const keep = (name: string, why: string): Step => ({ path: name, deed: 'keep', why, take: async () => undefined });

const create = (folder: string, name: string, file: string, text: string): Step => ({
  path: name,
  deed: 'create',
  why: '',
  take: async () => {
    if (await createText(folder, file, text)) return;
    throw new Fault('refused', `"${file}" appeared in this very moment; it was left as it is`, 'try again');
  },
});

export const addSteps = ({ folder, settings, texts }: InitOrder): Looks => [
  [settings.template_path, addFile(folder, settings.template_path, texts.template)],
  [settings.handoff_path, addDocument(folder, settings, texts)],
  [settings.archive_dir, addFile(folder, path.join(settings.archive_dir, '.gitkeep'), '')],
  [CLAUDE_FILE, addToClaude(folder, texts.section)],
  [SKILL_FILE, addSkill(folder, signed(texts.skill))],
];

async function addFile(folder: string, name: string, text: string): Promise<Step> {
  const file = await placeIn(folder, name);
  return (await readText(file)) === null ? create(folder, name, file, text) : keep(name, 'is there already');
}

// From the project's own template where it has one.
async function addDocument(folder: string, settings: HandoffSettings, texts: InitTexts): Promise<Step> {
  const template = await readText(await placeIn(folder, settings.template_path));
  return addFile(folder, settings.handoff_path, template ?? texts.template);
}

async function addToClaude(folder: string, content: string): Promise<Step> {
  const file = await placeIn(folder, CLAUDE_FILE);
  const text = await readText(file);
  if (text === null) return create(folder, CLAUDE_FILE, file, addSection(null, content));
  const section = sectionOf(file, text);
  if (section === null) return change(file, text, addSection(text, content), 'a section is added at its end');
  if (sameContent(section, content)) return keep(CLAUDE_FILE, 'has our section already');
  if (!section.isUnchanged) return keep(CLAUDE_FILE, 'its section was changed by hand and is yours now');
  return change(file, text, replaceSection(section, content), 'our section is brought up to date');
}

const change = (file: string, from: string, to: string, why: string): Step => ({
  path: CLAUDE_FILE,
  deed: 'update',
  why,
  take: () => replaceText(file, from, to),
});

function sectionOf(file: string, text: string): Section | null {
  // Two bytes a character: what we add would be read as something else.
  if (text.includes('\0')) throw new Fault('refused', `"${file}" is no plain text`, 'save it as UTF-8');
  const found = findSection(text);
  if (found.kind === 'damaged') {
    const cure = 'take the lines with "baton:handoff" out, or put both back, and try again';
    throw new Fault('refused', `"${file}" ${found.why}`, cure);
  }
  return found.kind === 'none' ? null : found.section;
}

async function addSkill(folder: string, text: string): Promise<Step> {
  const file = await placeIn(folder, SKILL_FILE);
  const now = await readText(file);
  if (now === null) return create(folder, SKILL_FILE, file, text);
  if (now === text) return keep(SKILL_FILE, 'is there already');
  if (!isSignedByUs(now)) return keep(SKILL_FILE, 'was changed by hand and is yours now');
  const take = () => replaceText(file, now, text);
  return { path: SKILL_FILE, deed: 'update', why: 'our file is brought up to date', take };
}

// The document before the template: whether it was filled is told by comparing the two.
export const removeSteps = ({ folder, settings, texts }: InitOrder): Looks => [
  [settings.handoff_path, removeDocument(folder, settings, texts)],
  [settings.template_path, removeFile(folder, settings.template_path, text => changed(text !== texts.template))],
  [settings.archive_dir, removeKeep(folder, path.join(settings.archive_dir, '.gitkeep'))],
  [CLAUDE_FILE, removeFromClaude(folder)],
  [SKILL_FILE, removeFile(folder, SKILL_FILE, text => changed(!isSignedByUs(text)))],
];

const changed = (isTheirs: boolean) => (isTheirs ? 'was changed; it is yours' : null);

async function removeDocument(folder: string, settings: HandoffSettings, texts: InitTexts): Promise<Step> {
  const template = await readText(await placeIn(folder, settings.template_path));
  const isEmpty = (text: string) => text === texts.template || text === template;
  return removeFile(folder, settings.handoff_path, text => (isEmpty(text) ? null : 'was filled; it stays'));
}

async function removeFile(folder: string, name: string, reason: (text: string) => string | null): Promise<Step> {
  const file = await placeIn(folder, name);
  const text = await readText(file);
  if (text === null) return keep(name, 'is not there');
  const why = reason(text);
  if (why !== null) return keep(name, why);
  return { path: name, deed: 'remove', why: '', take: () => removeText(file, text) };
}

async function removeKeep(folder: string, name: string): Promise<Step> {
  const file = await placeIn(folder, name);
  if (!(await isThere(file))) return keep(name, 'is not there');
  const others = (await readdir(path.dirname(file))).length > 1;
  return removeFile(folder, name, text =>
    text !== '' ? 'was changed; it is yours' : others ? 'the archive is not empty' : null,
  );
}

async function removeFromClaude(folder: string): Promise<Step> {
  const file = await placeIn(folder, CLAUDE_FILE);
  const text = await readText(file);
  const section = text === null ? null : sectionOf(file, text);
  if (text === null || section === null) return keep(CLAUDE_FILE, 'has no section of ours');
  if (!section.isUnchanged) return keep(CLAUDE_FILE, 'its section was changed by hand; it is yours');
  const rest = removeSection(section);
  if (rest !== null) return change(file, text, rest, 'our section is taken out');
  return { path: CLAUDE_FILE, deed: 'remove', why: 'held nothing else', take: () => removeText(file, text) };
}
