// `baton handoff show`: the present handoff document of a project.

import { readDocument } from '../../project/read-document.ts';
import { exitCodes, Fault } from '../../protocol/fault.ts';
import { archivePlace } from '../archive-place.ts';
import type { CommandInput } from '../command-spec.ts';
import { jsonText } from '../json-text.ts';
import { safeDocument, showDocument } from '../show-document.ts';

export async function run(input: CommandInput): Promise<number> {
  const [word] = input.args;
  if (word !== 'show') throw new Fault('invalid', `"baton handoff" does not know "${word}"`, 'baton handoff show');
  const { folder, settings } = await archivePlace(input.text('dir') ?? '.', input.text('agent') ?? null);
  const text = await readDocument(folder, settings.handoff_path);
  if (input.flag('json')) {
    input.say(jsonText({ folder, path: settings.handoff_path, text: safeDocument(text) }));
  } else showDocument(input, text);
  return exitCodes.success;
}
