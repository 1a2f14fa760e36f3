// The sample without a person: it answers itself and says so.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { answerAlone } from '../../src/cli/demo-parts.ts';
import { claude, question } from '../dashboard/seen-world.ts';
import { isFull } from '../test-size.ts';
import { makeCliWorld, patience } from './cli-world.ts';
import { toRunning, toStatus } from './sample-status.ts';

vi.setConfig(patience);
afterEach(() => void vi.useRealTimers());

test('a question is left to the line of its event, and answered only after it could be read', () => {
  vi.useFakeTimers();
  const notes: string[] = [];
  const answer = answerAlone({ note: (text: string) => notes.push(text) } as never);
  answer(toStatus([{ ...toRunning('a'), claude: claude({ question }) }]));
  vi.advanceTimersByTime(1000);
  expect(notes).toEqual([]);
});

// Half a minute of five real sessions.
if (isFull)
  test('in a pipe the sample tells its question once, answers it, hands one agent off and ends well', async () => {
    const world = makeCliWorld();
    const { code, stdout, stderr } = await world.start(['demo'], { BATON_WATCHDOG: '' }).ended;
    const said = stdout + stderr;
    await world.run('watchdog', 'stop'); // it would outlive this world
    expect(code, said).toBe(0);
    expect(readdirSync(world.at('state', 'watchdog', 'handoffs')).filter(name => name.endsWith('.json'))).toHaveLength(
      1,
    );
    expect(said.match(/Which look should the first page have/g)).toHaveLength(1);
    expect(said).toContain('the demo answers itself: 1. dark');
    expect(said.indexOf('asks (question)')).toBeGreaterThan(0);
    const [, report] = /\nreport: (.*)\n/.exec(said)!;
    expect(existsSync(report!)).toBe(true);
    const site = path.join(path.dirname(report!), 'merged', 'site', 'config.ini');
    expect(readFileSync(site, 'utf8')).toContain('theme = dark');
    world.end();
  });
