// What a handoff does with files that others arranged: nothing of theirs is lost, and nothing is written elsewhere.

import { existsSync, lstatSync, mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
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
