// A person talks to a Claude Code agent by command while its engine tends it: the real program in real panes.

import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { inQueue } from '../../src/claude/pane-lock.ts';
import { patience } from './cli-world.ts';
import { makeTalkWorld } from './talk-world.ts';

vi.setConfig(patience);

type TalkWorld = Awaited<ReturnType<typeof makeTalkWorld>>;
const worlds: TalkWorld[] = [];
afterEach(async () => {
  for (const world of worlds.splice(0)) await world.end();
});

async function begin(...given: Parameters<typeof makeTalkWorld>): Promise<TalkWorld> {
  const world = await makeTalkWorld(...given);
  worlds.push(world);
  return world;
}

const rule = (name: string, when: object, steps: object[]) => ({ name, when, steps });
// Says that it is done, after a while, and has written nothing; whatever comes later it does.
const lateLiar = (ms: number) => ({
  about: 'Lies once, late.',
  rules: [rule('lie', { turn: 1 }, [{ delay_ms: ms, say: 'Done.' }])],
  follow: 'agent',
});
const bash = (command: string) => ({
  tools: [{ name: 'Bash', input: { command, description: 'A scripted command' } }],
});
const isBusy = (world: TalkWorld) => world.agent()?.claude?.state === 'busy';
const asked = (world: TalkWorld) => world.agent()?.claude?.question ?? null;

test('a prompt of a person waits for its turn, has a receipt, and comes before any nudge', async () => {
  const world = await begin('send', lateLiar(6000));
  await world.until(() => isBusy(world), 'busy with the task');
  // All that the agent lacks, so that afterwards there is nothing to nudge it about.
  const words = [
    'Please write it now: "quotes"; $HOME, é 🙂',
    `- output "poem": ${world.workspace}/outputs/poem.md`,
    `Result file: ${world.workspace}/.baton/results/alpha/agent_result.json`,
  ].join('\n');
  writeFileSync(world.at('words.md'), `${words}\n`);
  const [sent, atOnce, slash] = await Promise.all([
    world.run('send', 'alpha', '--file', world.at('words.md'), '--wait', '60', '--json'),
    world.run('send', 'alpha', 'too early'),
    world.run('send', 'alpha', '/clear', '--wait', '60'),
  ]);
  expect(atOnce).toMatchObject({ code: 6, stdout: '' });
  expect(atOnce.stderr).toContain('the screen reads "busy"');
  expect(atOnce.stderr).toContain('--wait 60');
  expect(slash).toMatchObject({ code: 6, stdout: '' });
  expect(slash.stderr).toContain('--slash');
  expect(sent.stderr).toBe('');
  expect(JSON.parse(sent.stdout)).toMatchObject({
    agent: 'send/alpha',
    outcome: 'submitted',
    session_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    enters: expect.any(Number),
  });
  expect(sent.code).toBe(0);

  expect((await world.engine.ended).code).toBe(0);
  expect(world.prompts().slice(1)).toEqual([words]);
  expect([world.submitted('task'), world.submitted('person'), world.submitted('nudge')]).toEqual([1, 1, 0]);
});

test('a permission is shown with its options and answered by command; a question that changed is not', async () => {
  const world = await begin('ask', {
    about: 'Asks for two permissions.',
    rules: [rule('ask twice', { turn: 1 }, [bash("sh -c 'echo 1 > one.txt'"), bash("sh -c 'echo 2 > two.txt'")])],
    follow: 'agent',
  });
  await world.until(() => asked(world) !== null, 'the first permission');
  const shown = await world.run('prompts');
  expect(shown.stdout).toContain('ask/alpha asks for a permission');
  expect(shown.stdout).toContain("sh -c 'echo 1 > one.txt'");
  expect(shown.stdout).toMatch(/^ {2}1\. Yes$/m);
  const [first] = JSON.parse((await world.run('prompts', '--json')).stdout);
  expect(first).toMatchObject({
    execution_id: 'ask',
    agent_name: 'alpha',
    kind: 'permission',
    digest: asked(world)!.digest,
  });
  expect(shown.stdout).toContain(`${first.answer} OPTION`);

  const unclear = await world.run('answer', 'alpha', 'yes, ');
  expect(unclear).toMatchObject({ code: 2 });
  const typed = await world.run('send', 'alpha', 'not into a dialog');
  expect(typed.code).toBe(6);
  expect(typed.stderr).toContain('baton prompts');

  // The engine sleeps while somebody answers by hand: status.json still has the old question.
  world.engine.child.kill('SIGSTOP');
  const pane = world.agent()!.pane!;
  world.tmux('send-keys', '-t', pane, '1');
  await world.until(() => world.screen().includes('two.txt'), 'the second permission');
  const late = await world.run('answer', 'alpha', '1');
  world.engine.child.kill('SIGCONT');
  expect(late).toMatchObject({ code: 6, stdout: '' });
  expect(late.stderr).toContain('asks something else now');
  await world.until(() => asked(world) !== null && asked(world)!.digest !== first.digest, 'status.json follows');
  const old = await world.run('answer', 'alpha', '1', '--question', first.digest.slice(0, 8));
  expect(old.code).toBe(6);

  const yes = await world.run('answer', 'alpha', 'yes');
  expect(yes.stderr).toBe('');
  expect(yes.stdout).toMatch(/^answered ask\/alpha: 1\. Yes /);
  expect((await world.engine.ended).code).toBe(0);
  expect((await world.run('prompts')).stderr).toBe('no agent asks anything\n');
  const over = await world.run('answer', 'alpha', '1');
  expect(over).toMatchObject({ code: 6 });
  expect(over.stderr).toContain('is not running (success)');
});

test('a held agent gets nothing from anybody, and its work is looked at anew when it is given back', async () => {
  const world = await begin('hold', lateLiar(5000));
  await world.until(() => isBusy(world), 'busy with the task');
  const held = await world.run('hold', 'alpha');
  expect(held).toMatchObject({ code: 0, stderr: '' });
  await world.until(() => (world.agent()?.claude?.held_by ?? null) !== null, 'held_by in status.json');
  await world.until(() => world.agent()?.claude?.state === 'idle', 'the turn is over');
  const sent = await world.run('send', 'alpha', 'hello', '--wait', '60');
  expect(sent).toMatchObject({ code: 6 });
  expect(sent.stderr).toContain('baton unhold hold/alpha');
  await new Promise(resolve => setTimeout(resolve, 2500));
  expect(world.prompts()).toHaveLength(1);

  // The person does the work by hand.
  mkdirSync(path.join(world.workspace, 'outputs'), { recursive: true });
  writeFileSync(path.join(world.workspace, 'outputs/poem.md'), 'by hand\n');
  writeFileSync(
    path.join(world.workspace, '.baton/results/alpha/agent_result.json'),
    JSON.stringify({ status: 'success', summary: 'by hand', criteria: {} }),
  );
  const released = await world.run('unhold', world.agent()!.pane!);
  expect(released).toMatchObject({ code: 0, stderr: '' });
  expect((await world.engine.ended).code).toBe(0);
  expect(world.prompts()).toHaveLength(1);
});

test("a person's draft is left as it is, by a prompt and by a nudge, and a nudge waits for a person in the queue", async () => {
  const world = await begin('draft', lateLiar(3000));
  await world.until(() => isBusy(world), 'busy with the task');
  const pane = world.agent()!.pane!;
  world.tmux('send-keys', '-t', pane, '-l', 'half a thought');
  await world.until(() => world.screen().includes('half a thought'), 'the draft on the screen');
  const sent = await world.run('send', 'alpha', 'pushed in', '--wait', '5', '--json');
  expect(sent.code).toBe(6);
  const told = JSON.parse(sent.stdout);
  expect(told).toMatchObject({ outcome: 'refused', state: 'draft' });
  expect(told.screen).toContain('half a thought');
  expect(world.prompts()).toHaveLength(1);
  expect(world.screen()).toMatch(/❯\s+half a thought\s*$/m);

  // The box is free again, but a person waits for it: the nudge comes after that one.
  const place = { socket: world.at('run', 'tmux.sock'), pane, pid: 0 };
  await inQueue(world.at('run'), place, 'a person', async () => {
    world.tmux('send-keys', '-t', pane, 'C-u');
    await new Promise(resolve => setTimeout(resolve, 2500));
    expect(world.prompts()).toHaveLength(1);
  });
  expect((await world.engine.ended).code).toBe(0);
  expect([world.submitted('nudge'), world.submitted('person')]).toEqual([1, 0]);
  expect(world.events().some(event => event.type === 'prompt_failed')).toBe(false);
});
