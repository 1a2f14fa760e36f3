// templates/claude/status-line.sh, the real one, under every shell that may be /bin/sh.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { readStatusRecord } from '../../src/receipts/read-status-record.ts';
import { tempFolder } from '../files/temp-folder.ts';
import { newContext, statusPayload, usedContext } from './payloads.ts';
import { runScript, scripts, shells } from './run-script.ts';

const script = path.join(scripts, 'status-line.sh');

describe.each(shells)('status-line.sh under $name', ({ argv }) => {
  function world() {
    const folder = tempFolder();
    const record = path.join(folder, 'record');
    const env = { PATH: '/nowhere', BATON_STATUS_RECORD: record };
    const show = (input: string | Buffer | null, extra: Record<string, string> = {}) =>
      runScript([...argv, script], input, { ...env, ...extra });
    return { folder, record, show };
  }
  const used = (total_input_tokens: unknown, used_percentage: unknown = 7) =>
    statusPayload({ ...usedContext, total_input_tokens, used_percentage });

  test('it prints the tokens and the share, and keeps what it was told aside', async () => {
    const { record, show } = world();
    const payload = statusPayload();
    expect(await show(payload)).toMatchObject({ code: 0, stdout: 'context: 45.2k tokens (23%)\n', stderr: '' });
    expect(readFileSync(record, 'utf8')).toBe(payload);
    await show(statusPayload(newContext));
    expect(readFileSync(record, 'utf8').split('\n')[0]).toBe(statusPayload(newContext).trimEnd());
    expect(await readStatusRecord(record)).toMatchObject({ tokens: null, version: '2.1.326' });
  });

  test('it says new while there is no usage', async () => {
    expect(await world().show(statusPayload(newContext))).toMatchObject({ code: 0, stdout: 'context: new\n' });
  });

  test('figures are rounded to one decimal in k and M', async () => {
    const { show } = world();
    const shown = { 0: '0.0k', 49: '0.0k', 50: '0.1k', 999: '1.0k', 45249: '45.2k', 45250: '45.3k', 999949: '999.9k' };
    const large = { 999950: '1.0M', 1249999: '1.2M', 1250000: '1.3M' };
    for (const [tokens, text] of Object.entries({ ...shown, ...large }))
      expect((await show(used(Number(tokens)))).stdout).toBe(`context: ${text} tokens (7%)\n`);
  });

  test('the share is computed where it is not told, and left out where it cannot be known', async () => {
    const { show } = world();
    expect((await show(used(100_000, 12.7))).stdout).toBe('context: 100.0k tokens (12%)\n');
    expect((await show(used(45_203, null))).stdout).toBe('context: 45.2k tokens (23%)\n');
    const blind = statusPayload({ total_input_tokens: 45_203, context_window_size: 0, current_usage: {} });
    expect((await show(blind)).stdout).toBe('context: 45.2k tokens\n');
  });

  test('what it cannot understand is unknown, never zero and never a failure', async () => {
    const { record, show } = world();
    const hostile = [
      '',
      '\n',
      'no json\n',
      '{}\n',
      '{"cut":"off',
      '[]\n',
      used('45203'),
      used(-5),
      used(1e21),
      used(1.5),
      '{"total_input_tokens":08}\n',
      '{"total_input_tokens":$(exit 9)}\n',
      statusPayload({}),
      Buffer.from([0x7b, 0xff, 0x00, 0x0a]),
      null,
    ];
    for (const input of hostile)
      expect(await show(input), String(input)).toMatchObject({ code: 0, stdout: 'context: unknown\n', stderr: '' });
    expect(existsSync(`${record}.user`)).toBe(false);
  });

  test('names of folders that look like fields, patterns or commands change nothing', async () => {
    const { folder, show } = world();
    const names = [
      '/a,"total_input_tokens":1,"current_usage":null',
      '/a,{"used_percentage":99}',
      '/*',
      '/$(touch boom) `touch boom`',
      '/ü🎉 \\ " \n tab\t',
      `/${'x,'.repeat(5_000)}`,
    ];
    for (const cwd of names)
      expect((await show(statusPayload(usedContext, { cwd, workspace: { current_dir: cwd } }))).stdout).toBe(
        'context: 45.2k tokens (23%)\n',
      );
    expect(existsSync(path.join(folder, 'boom'))).toBe(false);
  });

  test('a file with the name of a field is not taken for one', async () => {
    const { folder } = world();
    writeFileSync(path.join(folder, '"total_input_tokens":9'), '');
    const inThere = ['-c', `cd '${folder}' && . '${script}'`];
    const ended = await runScript([...argv, ...inThere], statusPayload(usedContext, { cwd: '/a,*,b' }));
    expect(ended.stdout).toBe('context: 45.2k tokens (23%)\n');
  });

  test('a record that cannot be written costs nothing but the record', async () => {
    const { folder, show } = world();
    mkdirSync(path.join(folder, 'a-folder'));
    for (const place of [path.join(folder, 'no', 'where'), path.join(folder, 'a-folder'), '/dev/full', ''])
      expect(await show(statusPayload(), { BATON_STATUS_RECORD: place })).toMatchObject({
        code: 0,
        stdout: 'context: 45.2k tokens (23%)\n',
        stderr: '',
      });
  });

  describe('with a status line of the user', () => {
    const PATH = process.env.PATH!;
    const ours = 'context: 45.2k tokens (23%)\n';

    test('it follows ours and gets the same JSON', async () => {
      const { folder, show } = world();
      const seen = path.join(folder, 'seen');
      const theirs = `cat > '${seen}'; printf 'mine: %s\\nsecond' "$(grep -c . '${seen}')"`;
      const ended = await show(statusPayload(), { PATH, BATON_USER_STATUS_LINE: theirs });
      expect(ended).toMatchObject({ code: 0, stderr: '' });
      expect(ended.stdout).toBe(`${ours}mine: 1\nsecond\n`);
      expect(readFileSync(seen, 'utf8')).toBe(statusPayload());
    });

    test('one that fails, is missing, talks on stderr or reads nothing leaves ours alone', async () => {
      const { show } = world();
      for (const theirs of ['exit 3', '/no/such/program', 'echo bad >&2; exit 1', 'exec <&-; true', 'if', 'kill -9 $$'])
        expect(await show(statusPayload(), { PATH, BATON_USER_STATUS_LINE: theirs }), theirs).toMatchObject({
          code: 0,
          stdout: ours,
          stderr: '',
        });
    });

    // The second way is the one without the program `timeout`; it needs no more than sleep.
    test('one that hangs is ended at the limit, with or without the program timeout', async () => {
      const { folder, show } = world();
      const plain = path.join(folder, 'bin');
      mkdirSync(plain);
      writeFileSync(path.join(plain, 'sleep'), '#!/bin/sh\nPATH=/usr/bin:/bin\nexec sleep "$@"\n', { mode: 0o755 });
      for (const where of [PATH, plain]) {
        const theirs = 'echo early; trap "" TERM; while :; do sleep 2; done';
        const ended = await show(statusPayload(), {
          PATH: where,
          BATON_USER_STATUS_LINE: theirs,
          BATON_USER_STATUS_LIMIT: '0.3',
        });
        expect(ended).toMatchObject({ code: 0, stdout: `${ours}early\n`, stderr: '' });
        expect(ended.ms).toBeLessThan(5000);
      }
    });

    test('one that leaves a program running does not hold the pane up', async () => {
      const { show } = world();
      const ended = await show(statusPayload(), { PATH, BATON_USER_STATUS_LINE: 'sleep 4 & echo mine' });
      expect(ended.stdout).toBe(`${ours}mine\n`);
      expect(ended.ms).toBeLessThan(3000);
    });
  });
});
