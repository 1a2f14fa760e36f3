// docs/troubleshooting.md knows every sign the product can show.

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { noticeKinds } from '../src/notices/notice.ts';
import { exitCodes } from '../src/protocol/fault.ts';
import { handoffEnds } from '../src/protocol/handoff.ts';
import { LiveAgentStatus } from '../src/protocol/status.ts';

const page = readFileSync('docs/troubleshooting.md', 'utf8');

test('every exit code but success has a row', () => {
  for (const code of Object.values(exitCodes).filter(code => code !== 0))
    expect(page).toContain(`| exit code ${code} |`);
});

test('every state of an agent and every end of a handoff has a row', () => {
  for (const status of LiveAgentStatus.options)
    expect(page, status).toMatch(new RegExp(`^\\| \`${status}\`.* \\|`, 'm'));
  for (const end of Object.keys(handoffEnds)) expect(page, end).toContain(`| \`${end}\` |`);
});

test('every row has a sign, a meaning and a cure', () => {
  const rows = page.split('\n').filter(line => line.startsWith('| '));
  for (const row of rows) expect(row.split(/(?<!\\)\|/).length, row).toBe(5);
});

test('docs/configuration.md names every kind of notice', () => {
  const configuration = readFileSync('docs/configuration.md', 'utf8');
  for (const kind of noticeKinds) expect(configuration).toContain(`\`${kind}\``);
});
