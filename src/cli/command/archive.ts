// `baton archive`: the earlier handoff documents of a project, and putting the present one among them.

import { plainText } from '../../files/plain-text.ts';
import type { HandoffCommit } from '../../git/commit-handoff.ts';
import {
  type ArchivePlace,
  archiveDocument,
  findArchived,
  listArchive,
  restoreDocument,
} from '../../project/archive.ts';
import { readDocument } from '../../project/read-document.ts';
import { exitCodes, Fault } from '../../protocol/fault.ts';
import type { Colour } from '../../text/paint.ts';
import { counted } from '../../text/span-text.ts';
import { agentArchive } from '../agent-archive.ts';
import { archivePlace } from '../archive-place.ts';
import type { CommandInput } from '../command-spec.ts';
import { didYouMean } from '../did-you-mean.ts';
import { type DiffLine, diffLines } from '../diff-lines.ts';
import { jsonText } from '../json-text.ts';
import { safeDocument, showDocument } from '../show-document.ts';

type Verb = {
  takes: number;
  run: (input: CommandInput, place: ArchivePlace, names: readonly string[]) => Promise<void>;
};

const verbs: Record<string, Verb> = {
  list: { takes: 0, run: list },
  show: { takes: 1, run: async (input, place, [name]) => show(input, await readNamed(place, name!)) },
  diff: { takes: 2, run: diff },
  restore: { takes: 1, run: restore },
};

export async function run(input: CommandInput): Promise<number> {
  const [word, ...names] = input.args;
  const verb = word === undefined ? { takes: 0, run: archive } : Object.hasOwn(verbs, word) ? verbs[word]! : null;
  if (verb === null) {
    const hint = didYouMean(word!, Object.keys(verbs)) ?? 'known are list, show, diff and restore';
    throw new Fault('invalid', `"baton archive" does not know "${word}"`, hint);
  }
  if (names.length !== verb.takes) {
    const wanted = verb.takes === 0 ? 'no name' : counted(verb.takes, 'name');
    throw new Fault('invalid', `"baton archive ${word}" takes ${wanted}`, '`baton archive list` shows the names');
  }
  await verb.run(input, await placeOf(input), names);
  return exitCodes.success;
}

async function placeOf(input: CommandInput): Promise<ArchivePlace> {
  const [agent, dir] = [input.text('agent'), input.text('dir')];
  if (agent === undefined) return archivePlace(dir ?? '.');
  if (dir === undefined) return agentArchive(agent, input.text('socket'));
  throw new Fault('invalid', '--agent and --dir both name a project', 'write one of them');
}

async function archive(input: CommandInput, place: ArchivePlace): Promise<void> {
  const { name, fresh, commit } = await archiveDocument(place, new Date());
  if (input.flag('json')) input.say(jsonText({ archived: name, document: fresh, commit }));
  else {
    const where = input.text('agent') === undefined ? '' : ` in ${plainText(place.folder)}`;
    input.say(`archived as ${name}; ${plainText(place.settings.handoff_path)}${where} is fresh from the template`);
    tellCommit(input, commit);
  }
}

async function restore(input: CommandInput, place: ArchivePlace, [asked]: readonly string[]): Promise<void> {
  const { name, fresh, commit } = await restoreDocument(place, asked!, new Date());
  if (input.flag('json')) input.say(jsonText({ restored: asked, archived: name, document: fresh, commit }));
  else {
    input.say(name === null ? 'there was nothing to archive first' : `the present one was archived as ${name}`);
    input.say(`${plainText(place.settings.handoff_path)} is again what it was then`);
    tellCommit(input, commit);
  }
}

function tellCommit(input: CommandInput, commit: HandoffCommit | null): void {
  if (commit === null) {
    input.say('not committed: auto_commit is false');
    return;
  }
  const where = { branch: 'on the branch', ref: 'on a ref of Baton', own: "in Baton's own repository" }[commit.place];
  input.say(`committed ${where}: ${commit.sha.slice(0, 12)}${commit.place === 'own' ? ` (${commit.repository})` : ''}`);
  if (commit.why !== null) input.note(`not on the branch: ${plainText(commit.why)}`);
}

async function list(input: CommandInput, place: ArchivePlace): Promise<void> {
  const entries = await listArchive(place);
  if (input.flag('json')) return input.say(jsonText(entries));
  if (entries.length === 0) input.note('nothing is archived yet');
  const width = Math.max(0, ...entries.map(({ name }) => name.length));
  for (const { name, lines } of entries) {
    input.say(`${plainText(name).padEnd(width)}  ${counted(lines, 'line')}`);
  }
}

function show(input: CommandInput, text: string): void {
  if (input.flag('json')) input.say(jsonText({ text: safeDocument(text) }));
  else showDocument(input, text);
}

const signs: Record<DiffLine['kind'], readonly [string, Colour]> = {
  same: ['  ', 'dim'],
  gone: ['- ', 'red'],
  new: ['+ ', 'green'],
  skipped: ['…', 'cyan'],
};

async function diff(input: CommandInput, place: ArchivePlace, [a, b]: readonly string[]): Promise<void> {
  const lines = diffLines(safeDocument(await readNamed(place, a!)), safeDocument(await readNamed(place, b!)));
  if (input.flag('json')) return input.say(jsonText(lines));
  if (lines.length === 0) input.note('they are the same');
  for (const { kind, text } of lines) input.say(input.out.paint(signs[kind][1], signs[kind][0] + text));
}

async function readNamed(place: ArchivePlace, name: string): Promise<string> {
  if (name === 'current') return readDocument(place.folder, place.settings.handoff_path);
  return readDocument(place.folder, `${place.settings.archive_dir}/${(await findArchived(place, name)).name}`);
}
