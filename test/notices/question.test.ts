// A real Claude Code asks for a permission: somebody is told, once, and again when all is over.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { patience } from '../cli/cli-world.ts';
import { makeTalkWorld } from '../cli/talk-world.ts';

vi.setConfig(patience);

test('a question of an agent and the end of its execution are told to the command of the user', async () => {
  const steps = [
    { tools: [{ name: 'Bash', input: { command: "sh -c 'echo 1 > one.txt'", description: 'A scripted command' } }] },
  ];
  const script = { about: 'Asks once.', rules: [{ name: 'ask', when: { turn: 1 }, steps }], follow: 'agent' };
  let told = '';
  const world = await makeTalkWorld('noticed', script, {}, folder => {
    told = path.join(folder, 'told');
    writeFileSync(path.join(folder, 'baton.json'), JSON.stringify({ notify: ['sh', '-c', `cat >> '${told}'`] }));
  });
  const notices = () =>
    (existsSync(told) ? readFileSync(told, 'utf8') : '')
      .split('\n')
      .slice(0, -1)
      .flatMap(line => JSON.parse(line).notices);
  try {
    await world.until(() => notices().length > 0, 'a notice of the question');
    expect(notices()).toMatchObject([
      {
        kind: 'question',
        execution: 'noticed',
        agent: 'alpha',
        title: 'alpha asks (permission)',
        command: 'baton prompts',
      },
    ]);
    expect(notices()[0].body).toMatch(/one\.txt[\s\S]*1 Yes/);
    await world.run('cancel', 'noticed', '--quiet');
    await world.engine.ended;
    expect(notices().map(notice => notice.kind)).toEqual(['question', 'ended']);
  } finally {
    await world.end();
  }
});
