import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { desktopCommand, desktopWay, oldTitle, oscBytes } from '../../src/notices/desktop.ts';
import { groupNotices, type Notice, noticeOf } from '../../src/notices/notice.ts';
import { openNotices } from '../../src/notices/open-notices.ts';
import { runNotice } from '../../src/notices/run-notice.ts';
import type { Event } from '../../src/protocol/event.ts';
import { makeCliWorld, writes } from '../cli/cli-world.ts';
import { expectHarmless, hostile } from '../pages/sample-page.ts';

const folder = mkdtempSync('/tmp/bn-');
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const at = (name: string) => path.join(folder, name);
const whose = { execution: 'exec-1', workspace: folder };
const event = (type: string, agent: string | null, data: object, id = 7) =>
  ({ id, time: '2026-01-02T10:00:00.000Z', type, agent, data }) as unknown as Event;
const question = (title: string) => ({
  kind: 'permission',
  title,
  options: [{ number: 1, label: 'Yes' }],
  digest: 'd1',
  asked_at: '2026-01-02T10:00:00.000Z',
});

test('a question, a limit, a stuck agent, a conflict, a held execution and its end need a person; nothing else does', () => {
  const kinds = [
    event('question_opened', 'a', { attempt: 1, question: question('Run rm?') }),
    event('parked', 'a', { attempt: 1, reason: 'usage limit', until: null }),
    event('attempt_stopping', 'a', { attempt: 1, cause: 'gave_up', reason: 'stuck for 30 minutes', may_retry: true }),
    event('held_back', null, { reason: 'too little disk' }),
    event('merge_ended', null, { result: { status: 'conflict', conflicts: [{}, {}], reason: null } }),
    event('execution_ended', null, { status: 'partial_success', report: '/w/r.json' }),
  ].map(each => noticeOf(each, whose)!);
  expect(kinds.map(each => [each.kind, each.title])).toEqual([
    ['question', 'a asks (permission)'],
    ['limit', 'a is parked until somebody acts'],
    ['stuck', 'a was given up'],
    ['held', 'exec-1 is held back'],
    ['conflict', 'exec-1 has 2 to decide'],
    ['ended', 'exec-1 ended: partial success'],
  ]);
  for (const other of [
    event('attempt_stopping', 'a', { attempt: 1, cause: 'cancelled' }),
    event('held_back', null, { reason: null }),
    event('unparked', 'a', { attempt: 1 }),
    event('merge_ended', null, { result: { status: 'success', conflicts: [] } }),
  ])
    expect(noticeOf(other, whose)).toBeNull();
});

test('the same question has the same key, however often it is told; another workspace has another', () => {
  const key = (id: number, workspace: string) =>
    noticeOf(event('question_opened', 'a', { attempt: 1, question: question('x') }, id), { ...whose, workspace })!.key;
  expect(key(7, '/w')).toBe(key(8, '/w'));
  expect(key(7, '/w')).not.toBe(key(7, '/other'));
});

test('hostile text is only text in every way a notice goes, and short', () => {
  const notice = noticeOf(
    event('question_opened', 'a', { attempt: 1, question: question(`${hostile};extra`) }),
    whose,
  )!;
  expectHarmless(notice.title + notice.body);
  expect(notice.body.length).toBeLessThanOrEqual(500);
  for (const way of ['osc9', 'osc777'] as const) {
    const bytes = oscBytes(way, notice.title, notice.body);
    expect(bytes.match(/\u001b/g)).toHaveLength(1);
    expect(bytes.match(/\u0007/g)).toHaveLength(1);
    expect(bytes.split(';')).toHaveLength(way === 'osc9' ? 2 : 4);
  }
  const argv = desktopCommand('notify-send', notice.title, notice.body);
  expect(argv.at(-1)).not.toMatch(/[<>]/);
  expect(argv.indexOf('--')).toBe(2); // a title that looks like an option stays a title
  expect(desktopCommand('osascript', notice.title, '" & do shell script "x').at(-1)).toBe('" & do shell script "x'); // an argument, never part of the script
});

test('the way to the desktop follows the terminal, and inside of tmux only a desktop of its own is left', () => {
  const way = (env: Record<string, string>, platform = 'linux', isTerminal = true) =>
    desktopWay({ env, platform, isTerminal, has: () => true });
  expect(way({ TERM_PROGRAM: 'iTerm.app' }, 'darwin')).toBe('osc9');
  expect(way({ TERM_PROGRAM: 'WezTerm' })).toBe('osc777');
  expect(way({ TERM: 'foot' })).toBe('osc777');
  expect(way({ TERM: 'foot', TMUX: '/tmp/x' })).toBeNull();
  expect(way({ TERM: 'xterm-256color', WAYLAND_DISPLAY: 'w' })).toBe('notify-send');
  expect(way({}, 'darwin', false)).toBe('osascript');
  expect(way({ TERM: 'xterm-256color' })).toBeNull();
});

const notice = (key: string, more: Partial<Notice> = {}): Notice => ({
  kind: 'stuck',
  key: `${folder}/${key}`,
  execution: 'e',
  agent: 'a',
  title: `${key} stuck`,
  body: 'b',
  command: null,
  at: '',
  ...more,
});
const keep = (file: string) => ['sh', '-c', `cat >> ${at(file)}`];

test('several within the wait become one, each event is told once by one sender, also after a restart', async () => {
  const written: string[] = [];
  const open = () =>
    openNotices({
      terminal: { write: text => written.push(text) },
      desktop: null,
      command: keep('told'),
      focusFolder: at('focus'),
      trouble: () => {},
      waitMs: 50,
    });
  const first = open();
  const second = open();
  for (const key of ['k1', 'k2', 'k1']) first.tell(notice(key));
  second.tell(notice('k1'));
  await Promise.all([first.close(), second.close()]);
  const later = open();
  later.tell(notice('k2'));
  await later.close();
  const told = readFileSync(at('told'), 'utf8')
    .trim()
    .split('\n')
    .map(line => JSON.parse(line));
  expect(told).toHaveLength(1);
  expect(told[0]).toMatchObject({ version: 1, title: '2 things need you', body: 'k1 stuck; k2 stuck' });
  expect(written.join('').match(/\u0007/g)).toHaveLength(2); // the end of the title, and one bell
  expect(written.join('').endsWith(oldTitle)).toBe(true);
});

test('nothing is told while a dashboard is looked at; one that was killed looks at nothing', async () => {
  mkdirSync(at('focus2'));
  writeFileSync(at('focus2/999999998'), '');
  const tell = async (key: string) => {
    const notices = openNotices({
      terminal: null,
      desktop: null,
      command: keep('seen'),
      focusFolder: at('focus2'),
      trouble: () => {},
      waitMs: 10,
    });
    notices.tell(notice(key));
    await notices.close();
  };
  await tell('dead');
  expect(readFileSync(at('seen'), 'utf8')).toContain('dead stuck');
  writeFileSync(at(`focus2/${process.pid}`), '');
  await tell('alive');
  expect(readFileSync(at('seen'), 'utf8')).not.toContain('alive stuck');
});

test('a command that fails is told once, and one that hangs is ended with all it started', async () => {
  const said: string[] = [];
  const notices = openNotices({
    terminal: null,
    desktop: null,
    command: ['sh', '-c', 'echo "no \u001b[31mroom" >&2; exit 3'],
    focusFolder: at('none'),
    trouble: text => said.push(text),
    waitMs: 5,
  });
  notices.tell(notice('f1'));
  await new Promise(resolve => setTimeout(resolve, 60));
  notices.tell(notice('f2'));
  await notices.close();
  expect(said).toEqual(['a notice could not be given by "notify" of baton.json: it ended with 3: no room']);
  expect(await runNotice(['sh', '-c', `(sleep 1; touch ${at('late')}) & sleep 20`], '', 200)).toMatch(
    /longer than 0.2 s/,
  );
  await new Promise(resolve => setTimeout(resolve, 1200));
  expect(existsSync(at('late'))).toBe(false);
  expect(await runNotice(['/no/such/program'], '')).toContain('ENOENT');
});

test('more than a few are counted, not listed', () => {
  const { title, body } = groupNotices(Array.from({ length: 9 }, (_, n) => notice(`n${n}`)));
  expect([title, body.endsWith('; and 4 more')]).toEqual(['9 things need you', true]);
});

test('a run tells the command of baton.json that it ended, and config shows the command', {
  timeout: 90_000,
}, async () => {
  const world = makeCliWorld();
  try {
    writeFileSync(
      world.at('baton.json'),
      JSON.stringify({ notify: ['sh', '-c', `cat > '${world.at('notice.json')}'`] }),
    );
    expect((await world.run('run', world.request('noted', [{ name: 'one', script: writes }]), '-q')).code).toBe(0);
    const told = JSON.parse(readFileSync(world.at('notice.json'), 'utf8'));
    expect(told.notices).toMatchObject([
      { kind: 'ended', execution: 'noted', agent: null, command: 'baton report noted' },
    ]);
    expect((await world.run('config')).stdout).toMatch(/^notify: sh -c .*baton\.json\)$/m);
    rmSync(world.at('notice.json'));
    const off = world.start(['run', world.request('quiet', [{ name: 'one', script: writes }]), '-q'], {
      BATON_NOTICES: 'off',
    });
    expect((await off.ended).code).toBe(0);
    expect(existsSync(world.at('notice.json'))).toBe(false);
  } finally {
    world.end();
  }
});

test('an alert of the watchdog is told once, by the command of the user alone', async () => {
  const { openAlertNotices } = await import('../../watchdog/alert-notices.ts');
  mkdirSync(at('config/baton'), { recursive: true });
  writeFileSync(at('config/baton/baton.json'), JSON.stringify({ notify: keep('alerts') }));
  const before = process.env.XDG_CONFIG_HOME;
  process.env.XDG_CONFIG_HOME = at('config');
  try {
    for (const text of ['the pane is stuck\u001b]52;c;eA==\u0007', 'the pane is stuck\u001b]52;c;eA==\u0007']) {
      const notices = await openAlertNotices(() => {});
      notices.tell(`${folder}/pane`, text);
      await notices.close();
    }
  } finally {
    if (before === undefined) delete process.env.XDG_CONFIG_HOME;
    else process.env.XDG_CONFIG_HOME = before;
  }
  const lines = readFileSync(at('alerts'), 'utf8').trim().split('\n');
  expect(lines.map(line => JSON.parse(line).notices[0].body)).toEqual(['the pane is stuck']);
});
