// The handoff document as it lies on the disk, judged against its template and this handoff's id.

import { createHash } from 'node:crypto';
import path from 'node:path';
import { withSides } from '../src/git/keep-both-sides.ts';
import { runGit } from '../src/git/run-git.ts';
import { checkDocument, holdsSecret } from '../src/handoff/check-document.ts';
import { isFallback } from '../src/handoff/fallback-document.ts';
import { idLine } from '../src/handoff/handoff-prompts.ts';
import type { DocumentProblem, Rules, SeenDocument } from '../src/handoff/handoff-types.ts';
import { readDocumentFile, readTemplate, sha256 } from '../src/project/document-file.ts';
import type { Seldom } from './ask-seldom.ts';

// Saved a moment ago, the bytes are in git still.
const SAVED_AGE_MS = 4000;

export async function lookAtDocument(
  rules: Rules,
  handoffId: string,
  folder: string,
  seldom?: Seldom<boolean>,
): Promise<SeenDocument | null> {
  const file = await readDocumentFile(rules.documentPath);
  if (file.is === 'none') return null;
  if (file.is === 'unusable') return { ...unreadable, hash: file.hash, unfit: file.why, problems: [problem(file.why)] };
  const { hash, bytes } = file;
  const text = bytes.toString('utf8');
  const template = await readTemplate(rules.templatePath);
  const sides = withSides(bytes);
  const ask = () => isSaved(rules.documentPath, bytes, folder);
  const saved = await (seldom?.(hash, SAVED_AGE_MS, ask) ?? ask());
  return {
    hash,
    lines: text.split('\n').length - (text.endsWith('\n') ? 1 : 0),
    hasId: text.split(/\r?\n/).includes(idLine(handoffId)),
    // Its length is a step of its own (archive and shorter), not a problem of the text.
    problems: checkDocument(text, { template, handoffId, maxLines: Number.MAX_SAFE_INTEGER }),
    isWatchdogs: isFallback(text),
    isSaved: saved,
    isTemplate: text.trim() === template.trim(),
    // What is in a commit already is told to nobody by another.
    unfit: !saved && holdsSecret(text) ? 'it holds what looks like a secret' : null,
    ...(sides === null ? {} : { flagged: sha256(sides) }),
  };
}

const problem = (text: string): DocumentProblem => ({ section: null, problem: text });
// Longer than anybody wants: it goes to the archive before the agent is asked.
const unreadable = {
  lines: Number.MAX_SAFE_INTEGER,
  hasId: false,
  isWatchdogs: false,
  isSaved: false,
  isTemplate: false,
};

// These very bytes are in the last commit of the project.
async function isSaved(file: string, bytes: Buffer, folder: string): Promise<boolean> {
  const top = await runGit({ cwd: folder, args: ['rev-parse', '--show-toplevel'] }).catch(() => null);
  if (top === null || !top.ok) return false;
  const name = path.relative(top.stdout.toString('utf8').trim(), file);
  const shown = await runGit({ cwd: folder, args: ['rev-parse', '--verify', '--quiet', `HEAD:${name}`] }).catch(
    () => null,
  );
  if (shown === null || !shown.ok) return false;
  const own = createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
  return shown.stdout.toString('utf8').trim() === own;
}
