// `baton report`: an execution as a readable page, on the terminal, as Markdown, as one HTML file, or raw.

import path from 'node:path';
import { plainText } from '../../files/plain-text.ts';
import { writeFileAtomic } from '../../files/write-file.ts';
import { htmlPage } from '../../pages/html-page.ts';
import { markdownPage } from '../../pages/markdown-page.ts';
import { buildPage } from '../../pages/page.ts';
import { exitCodes } from '../../protocol/fault.ts';
import type { CommandInput } from '../command-spec.ts';
import { documentLines } from '../document-lines.ts';
import { jsonText } from '../json-text.ts';
import { loadPage } from '../load-page.ts';
import { newestExecution } from '../newest-execution.ts';

export async function run(input: CommandInput): Promise<number> {
  const source = await loadPage(input.args[0] ?? (await newestExecution()).workspace, Date.now());
  const page = buildPage(source);
  if (input.flag('json')) {
    // Not over yet: the page itself is all there is to tell.
    const isOver = source.report !== null && page.endedAt !== null;
    input.say(jsonText(isOver ? source.report : page));
    return exitCodes.success;
  }
  const output = input.args[1];
  if (input.flag('html')) {
    if (output === '-') input.out.stream.write(htmlPage(page));
    else {
      const file = path.resolve(output ?? path.join(source.workspace, 'report.html'));
      await writeFileAtomic(file, htmlPage(page));
      input.say(plainText(file));
    }
    return exitCodes.success;
  }
  const text = markdownPage(page);
  if (output !== undefined && output !== '-') {
    await writeFileAtomic(path.resolve(output), text);
    input.say(plainText(path.resolve(output)));
  } else if (input.out.isTerminal || input.flag('laid-out'))
    for (const line of documentLines(text, input.out.width(), input.out.paint)) input.say(line);
  else input.say(text.trimEnd());
  return exitCodes.success;
}
