// What a command says, line by line as it says it: the text of a page. Ends with the page.

import { spawn } from 'node:child_process';
import { StringDecoder } from 'node:string_decoder';
import { plainText } from '../../files/plain-text.ts';
import { coalesce } from './coalesce.ts';
import { batonCommand, batonEnvironment } from './run-baton.ts';

const MOST_LINES = 20_000;
const LONGEST = 4000; // of one line: more does not fit any terminal
const END_MS = 2000;

export type Page = { lines(): readonly string[]; isOver(): boolean; close(): void };

export function openPage(argv: readonly string[], width: number, changed: () => void): Page {
  const [command, args] = batonCommand(argv);
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], env: batonEnvironment(width) });
  const tell = coalesce(changed);
  let lines: string[] = [];
  let isOver = false;
  const take = () => {
    const decoder = new StringDecoder('utf8');
    let rest = '';
    return (bytes: Buffer) => {
      const parts = (rest + decoder.write(bytes)).split('\n');
      rest = parts.pop()!.slice(0, LONGEST * 4);
      add(parts);
    };
  };
  const add = (parts: readonly string[]) => {
    for (const part of parts) lines.push(plainText(part.slice(0, LONGEST * 4), { max: LONGEST }).trimEnd());
    if (lines.length > MOST_LINES) lines = lines.slice(-MOST_LINES);
    tell();
  };
  child.stdout.on('data', take());
  child.stderr.on('data', take());
  child.once('error', error => add([error.message]));
  child.once('close', () => {
    isOver = true;
    tell();
  });
  return {
    lines: () => lines,
    isOver: () => isOver,
    close: () => {
      tell.cancel();
      child.kill();
      setTimeout(() => child.kill('SIGKILL'), END_MS).unref();
    },
  };
}
