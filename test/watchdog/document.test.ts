// What a handoff does with files that others arranged: nothing of theirs is lost, and nothing is written elsewhere.

import { existsSync, lstatSync, mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { archivePlace } from '../../src/cli/archive-place.ts';
import { archiveDocument, listArchive } from '../../src/project/archive.ts';
import { openSlots } from '../../watchdog/slots.ts';
import { watchPane } from '../../watchdog/watch-pane.ts';
import { goodDocument, makeDocumentWorld } from './document-world.ts';

const huge = 'a line that nobody wants to lose\n'.repeat(170_000);

test('a document too large to read goes to the archive whole before the watchdog writes', async () => {
  const world = makeDocumentWorld();
  world.put(huge, 'work', 'docs', 'HANDOFF.md');
  const { how, handoff } = await world.handOff();
  expect(how).toBe('agent_gone');
  const [name] = world.list('docs', 'HANDOFF-archive');
  expect(world.read('HANDOFF-archive', name!)).toBe(huge);
  expect(world.read('HANDOFF.md')).toContain('Written by the watchdog');
  // So large a file is nothing for the branch; the record says so.
  expect(world.git('show', '--format=', '--name-only', 'HEAD')).toBe('docs/HANDOFF.md');
  expect(handoff.notes.join()).toMatch(/HANDOFF-archive\/.* is in no commit: it has \d+ bytes/);
  // Nor does one of any size keep the others from being listed.
  world.put('x'.repeat(17_000_000), 'work', 'docs', 'HANDOFF-archive', 'HANDOFF-2020-01-01-0000.md');
  const listed = await listArchive(await archivePlace(world.at('work')));
  expect(listed.map(({ bytes }) => bytes)).toEqual([huge.length, 17_000_000]);
});

test('a document too large to read goes to the archive before the agent is asked for a fresh one', async () => {
  const world = makeDocumentWorld();
  world.put(huge, 'work', 'docs', 'HANDOFF.md');
  const prompts: string[] = [];
  const { how } = await world.handOff({
    agent: prompt => {
      prompts.push(prompt);
      expect(world.read('HANDOFF.md')).toContain('## Session Info');
      world.put(goodDocument(), 'work', 'docs', 'HANDOFF.md');
    },
  });
  expect(how).toBe('closed');
  expect(prompts[0]).toContain('is kept at');
  expect(world.read('HANDOFF-archive', world.list('docs', 'HANDOFF-archive')[0]!)).toBe(huge);
});

test('a document that is a symlink inside the project is followed, and stays one', async () => {
  const world = makeDocumentWorld();
  world.put('# Earlier words\n', 'work', 'notes', 'H.md');
  symlinkSync('../notes/H.md', world.at('work', 'docs', 'HANDOFF.md'));
  const { how } = await world.handOff({
    agent: () => writeFileSync(world.at('work', 'docs', 'HANDOFF.md'), goodDocument()),
  });
  expect(how).toBe('closed');
  expect(lstatSync(world.at('work', 'docs', 'HANDOFF.md')).isSymbolicLink()).toBe(true);
  expect(world.git('show', 'HEAD:notes/H.md')).toContain('Handoff-Id: h-1');
});

test('a document that becomes a symlink is told to the agent, and nothing behind it is read or written', async () => {
  const world = makeDocumentWorld();
  world.put('of somebody else\n', 'elsewhere.md');
  const prompts: string[] = [];
  const { how } = await world.handOff({
    agent: prompt => {
      prompts.push(prompt);
      if (prompts.length === 1) symlinkSync(world.at('elsewhere.md'), world.at('work', 'docs', 'HANDOFF.md'));
    },
  });
  expect(prompts[1]).toContain('it is a symlink');
  expect(how).toBe('closed');
  expect(readFileSync(world.at('elsewhere.md'), 'utf8')).toBe('of somebody else\n');
  expect(world.read('HANDOFF.md')).toContain('Written by the watchdog');
  expect(world.git('log', '-p', '--all')).not.toContain('of somebody else');
});

test.each([
  ['the document', {}, 'docs'],
  ['the archive', { archive_dir: 'old' }, 'old'],
  ['the template', { template_path: 'forms/T.md' }, 'forms'],
])('%s that would lie outside of the project is refused, with its name and the cure', async (_, settings, name) => {
  const world = makeDocumentWorld();
  world.put(JSON.stringify(settings), 'work', 'baton.json');
  mkdirSync(world.at('outside'));
  if (name === 'docs') renameSync(world.at('work', 'docs'), world.at('outside', 'docs'));
  symlinkSync(world.at('outside'), world.at('work', name));
  await expect(world.handOff()).rejects.toMatchObject({
    code: 'refused',
    message: expect.stringMatching(`"${name}.* leads to ".*outside.*", outside of the project`),
    cure: expect.stringContaining('baton.json'),
  });
});

test('a pane whose paths lead out of the project is told of once and refuses a handoff, with the reason', async () => {
  const world = makeDocumentWorld();
  mkdirSync(world.at('outside'));
  mkdirSync(world.at('state'));
  symlinkSync(world.at('outside'), world.at('work', 'old'));
  world.put(JSON.stringify({ archive_dir: 'old' }), 'work', 'baton.json');
  world.put('', 'channel', 'receipts');
  const [receipts, record] = [world.at('channel', 'receipts'), world.at('channel', 'record')];
  const pane = world.pane({ channel: { receipts, record, blockCompact: world.at('b'), order: world.at('o') } });
  const alerts: string[] = [];
  const stop = new AbortController();
  const watch = watchPane(pane, {
    state: world.at('state'),
    signal: stop.signal,
    slots: openSlots(),
    tell: () => {},
    say: () => {},
    alert: async (_, text) => void alerts.push(text),
  });
  const answers = [await watch.handoffNow('manual'), await watch.handoffNow('manual')];
  stop.abort();
  void watch.handoffNow('manual'); // wakes it
  await watch.done;
  expect(answers[1]).toMatch(/^refused: .*"old" leads to ".*outside", outside of the project; replace the symlink/);
  expect(alerts).toEqual([expect.stringContaining('tested: no handoff is possible here: "old" leads to')]);
});

test('the own document of an agent is refused outside of its folder too', async () => {
  const world = makeDocumentWorld();
  mkdirSync(world.at('outside'));
  symlinkSync(world.at('outside'), world.at('work', 'docs', 'handoff'));
  const pane = { kind: 'engine', agent: 'tests' } as const;
  await expect(world.handOff({ pane })).rejects.toMatchObject({ code: 'refused' });
});

test('a docs folder that becomes a link during the handoff takes nothing out of the project', async () => {
  const world = makeDocumentWorld();
  mkdirSync(world.at('outside'));
  const { how } = await world.handOff({
    agent: () => {
      if (existsSync(world.at('work', 'kept'))) return;
      renameSync(world.at('work', 'docs'), world.at('work', 'kept'));
      symlinkSync(world.at('outside'), world.at('work', 'docs'));
      world.put(goodDocument(), 'outside', 'HANDOFF.md');
    },
  });
  expect(how).toBe('archive_failed');
  expect(readFileSync(world.at('outside', 'HANDOFF.md'), 'utf8')).toBe(goodDocument());
  expect(world.git('log', '--format=%s')).toBe('Begin');
});

test('a handoff that is gone on with keeps its places, whatever the settings say by then', async () => {
  const world = makeDocumentWorld();
  const first = await world.handOff();
  world.put(JSON.stringify({ handoff_path: 'other/NOW.md' }), 'work', 'baton.json');
  const { rules } = await world.handOff({ places: first.handoff.places! });
  expect(rules.documentPath).toBe(world.at('work', 'docs', 'HANDOFF.md'));
  expect(existsSync(world.at('work', 'other'))).toBe(false);
});

test('what the watchdog writes holds no secret of the machine or of the conversation', async () => {
  const world = makeDocumentWorld();
  process.env.BATON_TEST_PASSWORD = 'kept-in-the-environment';
  onTestFinished(() => void delete process.env.BATON_TEST_PASSWORD);
  const said = 'it works with kept-in-the-environment and AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG now';
  world.put(
    `${JSON.stringify({ type: 'assistant', message: { role: 'assistant', content: [{ type: 'text', text: said }] } })}\n`,
    ...['transcript.jsonl'],
  );
  await world.handOff({ transcript: world.at('transcript.jsonl') });
  const committed = world.git('show', 'HEAD:docs/HANDOFF.md');
  expect(committed).toContain('it works with [redacted:BATON_TEST_PASSWORD] and AWS_SECRET_ACCESS_KEY=[redacted] now');
  expect(committed).not.toMatch(/kept-in-the-environment|wJalrXUtnFEMI/);
});

test('a document with a secret in it is archived and not committed', async () => {
  const world = makeDocumentWorld();
  const secret = goodDocument('DEPLOY_TOKEN=abcdef0123456789');
  const { how, handoff } = await world.handOff({ agent: () => world.put(secret, 'work', 'docs', 'HANDOFF.md') });
  expect(how).toBe('closed');
  expect(handoff.author).toBe('watchdog');
  expect(world.read('HANDOFF-archive', world.list('docs', 'HANDOFF-archive')[0]!)).toBe(secret);
  expect(world.git('log', '-p', '--all')).not.toContain('abcdef0123456789');
  expect(handoff.notes.join()).toContain('is in no commit: it holds what looks like a secret');
});

test("an agent's words in a document that the watchdog began are the agent's", async () => {
  const world = makeDocumentWorld();
  await world.handOff();
  const edited = world.read('HANDOFF.md').replace('## Next Actions', '## Next Actions\n\nwhat only the agent knows\n');
  // Bad twice: its placeholder stays.
  const bad = edited.replace('## Notes', '## Notes\n\n<token count if known>');
  const { handoff } = await world.handOff({ agent: () => world.put(bad, 'work', 'docs', 'HANDOFF.md') });
  expect(handoff.author).toBe('watchdog');
  expect(handoff.archived).toHaveLength(1);
  expect(readFileSync(handoff.archived[0]!, 'utf8')).toBe(bad);
  const good = await world.handOff({ agent: () => world.put(edited, 'work', 'docs', 'HANDOFF.md') });
  expect(good.handoff.author).toBe('agent');
});

test('agents archive beside their documents, under their own names', async () => {
  const world = makeDocumentWorld();
  for (const agent of ['api', 'tests']) {
    world.put(`words of ${agent}\n`, 'work', 'docs', 'handoff', `${agent}.md`);
    await world.handOff({ pane: { kind: 'engine', agent } });
  }
  const names = world.list('docs', 'handoff', 'archive');
  expect(names.map(name => name.replace(/\d{4}-\d\d-\d\d-\d{4}/, 'T'))).toEqual(['api-T.md', 'tests-T.md']);
  expect(world.read('handoff', 'archive', names[1]!)).toBe('words of tests\n');
  expect(world.list('docs', 'HANDOFF-archive')).toEqual([]);
});

test('`baton archive` and `baton handoff show` mean the own document of an agent, where it has one', async () => {
  const world = makeDocumentWorld();
  const place = async () => (await archivePlace(world.at('work'), 'api')).settings.handoff_path;
  expect(await place()).toBe('docs/HANDOFF.md');
  world.put('words of api\n', 'work', 'docs', 'handoff', 'api.md');
  expect(await place()).toBe('docs/handoff/api.md');
  const { name } = await archiveDocument(await archivePlace(world.at('work'), 'api'), new Date());
  expect(name).toMatch(/^api-\d{4}-\d\d-\d\d-\d{4}\.md$/);
  expect(world.read('handoff', 'archive', name!)).toBe('words of api\n');
});

test('a path that baton.json gives to one agent alone is where its document goes', async () => {
  const world = makeDocumentWorld();
  world.put(
    JSON.stringify({ handoff_path: 'docs/ALL.md', agents: { api: { handoff_path: 'docs/API.md' } } }),
    ...['work', 'baton.json'],
  );
  const paths = [];
  for (const agent of ['api', 'tests'])
    paths.push((await world.handOff({ pane: { kind: 'engine', agent } })).rules.documentPath);
  expect(paths).toEqual([world.at('work', 'docs', 'API.md'), world.at('work', 'docs', 'handoff', 'tests.md')]);
});
