// The settings part, run the way Claude Code runs it: each command by a shell.

import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { parseReceipt, receiptEvents } from '../../src/protocol/receipt.ts';
import { sideChannelSettings } from '../../src/receipts/side-channel-settings.ts';
import { tempFolder } from '../files/temp-folder.ts';
import { promptPayload, statusPayload } from './payloads.ts';
import { runScript, scripts } from './run-script.ts';

test('every command works from a folder with an odd name', async () => {
  const folder = path.join(tempFolder(), 'it\'s $HOME `x` "here"');
  mkdirSync(folder);
  for (const name of ['receipt.sh', 'status-line.sh']) copyFileSync(path.join(scripts, name), path.join(folder, name));
  const env = { BATON_RECEIPTS: path.join(folder, 'receipts'), BATON_STATUS_RECORD: path.join(folder, 'record') };
  const { statusLine, hooks } = sideChannelSettings(folder);
  for (const event of receiptEvents) {
    const { command } = hooks[event].at(-1)!.hooks[0]!;
    expect(await runScript(['/bin/sh', '-c', command], promptPayload('x'), env)).toMatchObject({ code: 0, stderr: '' });
  }
  const noted = readFileSync(env.BATON_RECEIPTS, 'utf8').trim().split('\n').map(parseReceipt);
  expect(noted.map(receipt => receipt?.event)).toEqual(receiptEvents);
  const shown = await runScript(['/bin/sh', '-c', statusLine.command], statusPayload(), env);
  expect(shown.stdout).toBe('context: 45.2k tokens (23%)\n');
});

test('scripts that are gone block nothing: sourcing a missing file would end with 2', async () => {
  const { statusLine, hooks } = sideChannelSettings('/no/such/folder');
  const commands = [
    statusLine.command,
    ...Object.values(hooks).flatMap(matched => matched.flatMap(({ hooks }) => hooks.map(({ command }) => command))),
  ];
  for (const command of new Set(commands))
    expect(await runScript(['/bin/sh', '-c', command], promptPayload('x'))).toMatchObject({
      code: 0,
      stdout: '',
      stderr: '',
    });
});

test('every tool meets exactly one matcher, and named ones hand their name on', () => {
  const { hooks } = sideChannelSettings('/s');
  for (const event of ['PostToolUse', 'PermissionRequest'] as const) {
    for (const tool of ['Bash', 'Write', 'WriteMore', 'mcp__x__Write', 'TodoWrite']) {
      const met = hooks[event].filter(({ matcher }) =>
        /^\w+$/.test(matcher!) ? matcher === tool : new RegExp(matcher!).test(tool),
      );
      expect(met, `${event} ${tool}`).toHaveLength(1);
    }
    const write = hooks[event].find(({ matcher }) => matcher === 'Write');
    expect(write?.hooks[0]?.command).toContain(`set -- ${event} Write;`);
  }
});
