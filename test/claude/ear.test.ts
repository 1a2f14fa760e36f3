import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openEar } from '../../src/claude/session-ear.ts';
import { waitFor } from '../engine/engine-world.ts';

test('what was noted before the ear opened makes no later figure look old; what comes afterwards does', async () => {
  const folder = mkdtempSync('/tmp/be-');
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const receipts = path.join(folder, 'receipts');
  const begin = (session: string, source: string) =>
    appendFileSync(
      receipts,
      `${JSON.stringify({ payload: { session_id: session, source }, event: 'SessionStart', tool: null, pane: '%0', session_id: session })}\n`,
    );
  begin('one', 'startup');
  const ear = await openEar({ receipts, now: Date.now });
  onTestFinished(() => ear.close());
  expect(ear.state()).toMatchObject({ sessionId: 'one', sessionSince: 0 });
  const before = Date.now();
  begin('two', 'clear');
  await waitFor(() => ear.state().sessionId === 'two');
  expect(ear.state().sessionSince).toBeGreaterThanOrEqual(before);
});
