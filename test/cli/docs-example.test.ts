// The example of docs/writing-agents.md, taken from the page and run as a reader would.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { afterAll, expect, test, vi } from 'vitest';
import { makeCliWorld, patience } from './cli-world.ts';

vi.setConfig(patience);
const world = makeCliWorld();
afterAll(world.end);

test('the small agent of the docs runs, is checked, and reports what the docs say', async () => {
  const page = readFileSync(new URL('../../docs/writing-agents.md', import.meta.url), 'utf8');
  const [config, script, request] = [...page.matchAll(/```(?:json|sh)\n([\s\S]*?)```/g)].map(([, text]) => text!);
  const folder = world.at('agents', 'word-counter');
  mkdirSync(folder, { recursive: true });
  writeFileSync(world.at('agents', 'word-counter', 'agent.json'), config!);
  writeFileSync(world.at('agents', 'word-counter', 'work.sh'), script!);
  writeFileSync(world.at('book.txt'), 'call me Ishmael\n');
  const here = request!.replaceAll('/home/me', world.folder).replaceAll('/tmp/count-1', world.at('count-1', 'ws'));
  writeFileSync(world.at('request.json'), here);

  const { code, stderr } = await world.run('run', world.at('request.json'), '-q');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const [agent] = world.report('count-1').agents;
  expect(agent).toMatchObject({
    summary: 'Counted the words.',
    success_criteria_met: { is_counted: true, words: 3 },
    success_criteria_evidence: { is_counted: 'checked', words: 'checked' },
    metrics: { words: 3 },
  });
});
