// A person sits in the session of a Claude Code agent, in a terminal smaller than agents have: what it asks is in
// sight, and reading its screen, answering and telling it go on as before.

import { spawnSync } from 'node:child_process';
import { afterEach, expect, test, vi } from 'vitest';
import { isFull } from '../test-size.ts';
import { bin, patience } from './cli-world.ts';
import { makeTalkWorld } from './talk-world.ts';

vi.setConfig(patience);

type TalkWorld = Awaited<ReturnType<typeof makeTalkWorld>>;
let world: TalkWorld;
const tmux = (...args: string[]) =>
  spawnSync('tmux', ['-S', world.at('person.sock'), '-f', '/dev/null', '-u', ...args], { encoding: 'utf8' }).stdout;
afterEach(async () => {
  tmux('kill-server');
  await world.end();
});

const question = {
  question: 'Which verse comes first?',
  header: 'Verse',
  multiSelect: false,
  options: [
    { label: 'the frog', description: 'as in the old one' },
    { label: 'the pond', description: 'for a change' },
  ],
};
// What it said before fills the screen of an agent: what it asks stands far below.
const verses = Array.from({ length: 40 }, (_, at) => `Verse ${at + 1} of an old poem.`).join('\n\n');
// Asks, then says that it is done and has written nothing, so that it is told what is missing; then it obeys.
const script = {
  about: 'Asks, lies, obeys.',
  rules: [
    {
      name: 'ask',
      when: { turn: 1 },
      steps: [
        { say: verses, tools: [{ name: 'AskUserQuestion', input: { questions: [question] } }] },
        { say: 'Done.' },
      ],
    },
  ],
  follow: 'agent',
};

const sizes = isFull
  ? ([
      [80, 24],
      [60, 18],
      [120, 40],
    ] as const)
  : ([[80, 24]] as const);

test.each(sizes)(
  'at %ix%i the question is in sight, is answered, and the next prompt arrives',
  async (columns, rows) => {
    world = await makeTalkWorld(`sized-${columns}`, script);
    const asked = () => world.agent()?.claude?.question ?? null;
    const nodes = Object.entries({ ...world.env, TERM: 'screen-256color' }).flatMap(([key, value]) => [
      '-e',
      `${key}=${value}`,
    ]);
    await world.until(() => world.submitted('task') === 1, 'its task');
    const line = `'${process.execPath}' '${bin}' attach alpha; echo "ended with $?"; exec cat`;
    tmux('new-session', '-d', '-s', 'p', '-x', String(columns), '-y', String(rows), ...nodes, '--', 'sh', '-c', line);
    tmux('set-option', '-t', 'p', 'status', 'off');
    const seen = () => tmux('capture-pane', '-p', '-t', 'p');
    const shows = (words: RegExp) => world.until(() => words.test(seen()), `${words} on the person's screen\n`);
    await shows(/1\. the frog[\s\S]*2\. the pond/);
    expect(seen()).toContain('Which verse comes first?');
    await world.until(() => asked()?.options.length !== undefined && asked()!.options.length >= 2, 'the question');
    expect(
      asked()!
        .options.slice(0, 2)
        .map(({ label }) => label),
    ).toEqual(['the frog', 'the pond']);
    const { digest } = asked()!;
    const answer = await world.run('answer', 'alpha', '2', '--question', digest.slice(0, 16));
    expect(answer.code, answer.stderr).toBe(0);
    await world.until(() => world.submitted('nudge') === 1, 'being told what is missing');
    const ended = await world.engine.ended;
    expect(ended.code, ended.stdout).toBe(0);
    expect(world.prompts()).toHaveLength(2);
    await shows(/ended with/);
  },
);
