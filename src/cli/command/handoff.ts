// `baton handoff`: shows the present handoff document of a project, or asks for a handoff now.

import { readDocument } from '../../project/read-document.ts';
import { exitCodes } from '../../protocol/fault.ts';
import { archivePlace } from '../archive-place.ts';
import { askHandoff } from '../ask-handoff.ts';
import type { CommandInput } from '../command-spec.ts';
import { jsonText } from '../json-text.ts';
import { safeDocument, showDocument } from '../show-document.ts';

export async function run(input: CommandInput): Promise<number> {
  if (input.args[0] !== 'show') return askHandoff(input);
  const { folder, settings } = await archivePlace(input.text('dir') ?? '.', input.text('agent') ?? null);
  const text = await readDocument(folder, settings.handoff_path);
  if (input.flag('json')) {
    input.say(jsonText({ folder, path: settings.handoff_path, text: safeDocument(text) }));
  } else showDocument(input, text);
  return exitCodes.success;
}
