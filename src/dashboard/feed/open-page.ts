// What a command says, line by line as it says it: the text of a page. Ends with the page.

import { spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { coalesce } from './coalesce.ts';
import { gatherLines } from './gather-lines.ts';
import { batonCommand, batonEnvironment } from './run-baton.ts';

const MOST_LINES = 20_000;
const END_MS = 2000;

export type Page = { lines(): readonly string[]; isOver(): boolean; close(): void };

export function openPage(argv: readonly string[], width: number, changed: () => void): Page {
  const [command, args] = batonCommand(argv);
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], env: batonEnvironment(width) });
  const tell = coalesce(changed);
  const gathered = gatherLines({ most: MOST_LINES, keeps: argv[0] === 'logs' ? 'end' : 'beginning' });
  let isOver = false;
  const take = (stream: Readable) => {
    const source = gathered.source();
    stream.on('data', bytes => {
      source.add(bytes);
      tell();
    });
    stream.once('end', () => {
      source.end();
      tell();
    });
  };
  take(child.stdout);
  take(child.stderr);
  child.once('error', error => {
    gathered.source().add(Buffer.from(`${error.message}\n`));
    tell();
  });
  child.once('close', () => {
    isOver = true;
    tell();
  });
  return {
    lines: gathered.lines,
    isOver: () => isOver,
    close: () => {
      tell.cancel();
      child.kill();
      setTimeout(() => child.kill('SIGKILL'), END_MS).unref();
    },
  };
}
