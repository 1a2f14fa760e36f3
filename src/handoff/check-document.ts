// Is this a handoff document somebody can go on from? Problems are precise sentences, made to be sent to the
// agent as they stand; none means good. Says nothing about whether the content is true. Pure.

import { findAssignment } from '../files/secret-assignments.ts';
import { secretShapes } from '../files/secret-shapes.ts';
import { idLine } from './handoff-prompts.ts';
import type { DocumentProblem } from './handoff-types.ts';
import { lineCount, outsideFences, parseTemplate, type Section, sameTitle, sectionsOf } from './template.ts';

export type { DocumentProblem } from './handoff-types.ts';

// Above this no fresh session could read it in one go, whatever the size threshold says.
const MAX_CHARACTERS = 400_000;
const MIN_WORDS = 20;
const FEW_WORDS = 2; // "none" alone gives no reason; "none: all merged" does
const MOST_PROBLEMS = 12;

export function checkDocument(
  text: string,
  o: { template: string; handoffId: string; maxLines: number },
): DocumentProblem[] {
  const { sections, placeholders } = parseTemplate(o.template);
  const own = sectionsOf(text);
  const whole = (problem: string): DocumentProblem => ({ section: null, problem });
  const problems: DocumentProblem[] = [];
  if (text.includes('\0')) return [whole('it is not a text: it holds NUL bytes')];
  if (text.length > MAX_CHARACTERS)
    return [whole(`it has ${text.length} characters; at most ${MAX_CHARACTERS} can be read`)];
  if (lineCount(text) > o.maxLines) problems.push(whole(`it has ${lineCount(text)} lines, over ${o.maxLines}`));
  if (!hasIdLine(text, o.handoffId)) problems.push(whole(`the line "${idLine(o.handoffId)}" is missing`));
  if (/^(<{7} |={7}$|>{7} )/m.test(text)) problems.push(whole('it holds the marks of an unresolved merge conflict'));
  if (words(text) < MIN_WORDS) problems.push(whole('it says too little to go on from'));
  for (const wanted of sections) {
    const mine = own.filter(section => sameTitle(section.title, wanted.title));
    if (mine.length === 0) problems.push({ section: wanted.title, problem: 'this section of the template is missing' });
    else if (mine.every(section => isEmpty(section, wanted)))
      problems.push({ section: wanted.title, problem: 'it is empty; where there is nothing, write "none" and why' });
  }
  const plain = outsideFences(text).join('\n');
  for (const placeholder of placeholders)
    if (plain.includes(placeholder))
      problems.push(whole(`the placeholder ${placeholder} of the template is still there`));
  const secret = firstSecret(text);
  if (secret !== null)
    problems.push(whole(`line ${secret} holds what looks like a secret; say where it is kept instead`));
  return problems.slice(0, MOST_PROBLEMS);
}

export const hasIdLine = (text: string, id: string): boolean =>
  text
    .split(/\r\n|\r|\n/)
    .some(line => line.replace(/^[\s>*_`-]+|[\s*_`]+$/g, '').replace(/[*_`]/g, '') === idLine(id));

const words = (text: string): number => text.match(/[\p{L}\p{N}]+/gu)?.length ?? 0;

// Only the template's own frame (headings of a table, bare checkboxes, hints) is not content.
function isEmpty(section: Section, wanted: Section): boolean {
  const frame = new Set(wanted.lines.map(line => line.trim()));
  const said = section.lines.filter(line => !frame.has(line.trim())).map(line => line.replace(/<!--.*?-->/g, ''));
  return words(said.join('\n')) < FEW_WORDS;
}

const shapes = new RegExp(secretShapes.join('|'));

export const holdsSecret = (text: string): boolean => firstSecret(text) !== null;

// The line, never the secret itself: problems go into prompts and logs.
function firstSecret(text: string): number | null {
  const found = [text.search(shapes), findAssignment(text)].filter(at => at !== -1);
  return found.length === 0 ? null : lineCount(text.slice(0, Math.min(...found) + 1));
}
