// CPU of one status line and of one receipt hook, as Claude Code calls them (a shell for the command, the
// payload through a socket): node test/bench/status-line.mjs [calls]. Prints a table; judges nothing.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { sideChannelSettings } from '../../src/receipts/side-channel-settings.ts';
import { promptPayload, startPayload, statusPayload, stopPayload, toolPayload } from '../receipts/payloads.ts';

const calls = Number(process.argv[2] ?? 200);
const TICKS_MS = 10;
const folder = mkdtempSync('/tmp/bl-');
const settings = sideChannelSettings(path.resolve(import.meta.dirname, '../../templates/claude'));
const env = {
  PATH: process.env.PATH,
  BATON_PANE: '%1',
  BATON_RECEIPTS: path.join(folder, 'receipts'),
  BATON_STATUS_RECORD: path.join(folder, 'record'),
  CLAUDE_CODE_SESSION_ID: '719dabcf-0000-4000-8000-000000000000',
};

const commandOf = (event, tool) =>
  settings.hooks[event].find(({ matcher }) => matcher === tool)?.hooks[0].command ??
  settings.hooks[event].at(-1).hooks[0].command;

const rows = [
  ['bare /bin/sh', ':', ''],
  ['status line, after a turn', settings.statusLine.command, statusPayload()],
  ['SessionStart', commandOf('SessionStart'), startPayload()],
  ['UserPromptSubmit, 60 B prompt', commandOf('UserPromptSubmit'), promptPayload('x'.repeat(60))],
  ['UserPromptSubmit, 2 kB prompt', commandOf('UserPromptSubmit'), promptPayload('x'.repeat(2_000))],
  ['UserPromptSubmit, 20 kB prompt', commandOf('UserPromptSubmit'), promptPayload('x'.repeat(20_000))],
  ['Stop, 20 kB answer', commandOf('Stop'), stopPayload('x'.repeat(20_000))],
  ['PostToolUse, small', commandOf('PostToolUse', 'Bash'), toolPayload('Bash', 'ok')],
  ['PostToolUse, 300 kB', commandOf('PostToolUse', 'Write'), toolPayload('Write', 'x'.repeat(300_000))],
];

console.log(`${calls} calls each; CPU of the whole call (user and system, shell start included)`);
for (const [name, command, payload] of rows) {
  const before = childTicks();
  for (let call = 0; call < calls; call += 1) spawnSync('/bin/sh', ['-c', command], { input: payload, env });
  const ms = ((childTicks() - before) * TICKS_MS) / calls;
  console.log(`${name.padEnd(32)} ${ms.toFixed(2).padStart(7)} ms   payload ${String(payload.length).padStart(7)} B`);
}
console.log(`receipts: ${statSync(env.BATON_RECEIPTS).size} B`);
rmSync(folder, { recursive: true });

function childTicks() {
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1].split(' ');
  return Number(fields[13]) + Number(fields[14]);
}
