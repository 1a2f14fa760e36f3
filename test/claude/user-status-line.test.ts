// The user's own status line: found where Claude Code has it, and nowhere else.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { userStatusLine } from '../../src/claude/user-status-line.ts';

const folder = mkdtempSync('/tmp/bt-line-');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function home(name: string, settings: string | null): string {
  const place = path.join(folder, name, '.claude');
  mkdirSync(place, { recursive: true });
  if (settings !== null) writeFileSync(path.join(place, 'settings.json'), settings);
  return path.join(folder, name);
}

test.each([
  ['none', null, null],
  ['broken', '{', null],
  ['other', '{"statusLine":{"type":"static","text":"x"}}', null],
  ['empty', '{"statusLine":{"type":"command","command":""}}', null],
  ['mine', '{"statusLine":{"type":"command","command":"~/bin/line --short"}}', '~/bin/line --short'],
])('settings that are %s give the command they name, or none', async (name, settings, command) => {
  expect(await userStatusLine({ HOME: home(name, settings) })).toBe(command);
});

test('CLAUDE_CONFIG_DIR is looked at instead of HOME', async () => {
  const mine = home('other-home', '{"statusLine":{"type":"command","command":"one"}}');
  const config = path.join(home('config', '{"statusLine":{"type":"command","command":"two"}}'), '.claude');
  expect(await userStatusLine({ HOME: mine, CLAUDE_CONFIG_DIR: config })).toBe('two');
});
