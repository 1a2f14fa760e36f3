// The agent's stdout.log: its transcript in a form for people, appended while it works. And, at the end, a
// copy of the transcript itself. How far it came is kept beside, so that a restarted engine repeats nothing.

import { appendFile, copyFile, mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { SessionPlaces } from '../claude/session-places.ts';
import { renderRecord } from '../conversation/render-transcript.ts';
import { plainText } from '../files/plain-text.ts';
import { writeJson } from '../files/write-file.ts';
import { type LineCursor, openLineCursor } from '../receipts/line-cursor.ts';
import type { EngineContext } from './context.ts';

export type TranscriptLog = { take(file: string | null): Promise<void>; close(file: string | null): Promise<void> };

type Progress = { file: string; offset: number };

export async function openTranscriptLog(
  context: EngineContext,
  places: SessionPlaces,
  log: string,
): Promise<TranscriptLog> {
  let progress = await readProgress(places.progress);
  let cursor: LineCursor | null = null;

  async function take(file: string | null): Promise<void> {
    if (file === null) return;
    if (cursor === null || progress?.file !== file) {
      const offset = progress?.file === file ? progress.offset : 0;
      cursor = openLineCursor(file, offset);
      progress = { file, offset };
    }
    const lines = await cursor.take().catch(() => []);
    if (lines.length === 0) return;
    const text = lines
      .flatMap(line => render(line.text) ?? [])
      .map(part => `${part}\n`)
      .join('');
    // Only information: a log that cannot be written must not end the agent.
    if (text !== '') await appendFile(log, context.redactor.text(text)).catch(() => {});
    progress = { file, offset: lines.at(-1)!.end };
    await writeJson(places.progress, progress, { sync: false, mode: 0o600 }).catch(() => {});
  }

  return {
    take,
    async close(file) {
      await take(file);
      if (file === null) return;
      await mkdir(places.transcripts, { recursive: true, mode: 0o700 }).catch(() => {});
      const copy = path.join(places.transcripts, path.basename(file));
      await copyFile(file, copy).catch(() => {});
      await context.redactor.file(copy).catch(() => false);
    },
  };
}

function render(line: string): string | null {
  try {
    const text = renderRecord(JSON.parse(line));
    return text === null
      ? null
      : text
          .split('\n')
          .map(each => plainText(each))
          .join('\n');
  } catch {
    return null; // not a record of a transcript we know
  }
}

async function readProgress(file: string): Promise<Progress | null> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Progress;
  } catch {
    return null;
  }
}
