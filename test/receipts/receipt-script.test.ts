// templates/claude/receipt.sh, the real one, under every shell that may be /bin/sh.

import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseReceipt } from '../../src/protocol/receipt.ts';
import { tempFolder } from '../files/temp-folder.ts';
import * as payloads from './payloads.ts';
import { runScript, scripts, shells } from './run-script.ts';

const script = path.join(scripts, 'receipt.sh');
const SESSION = payloads.SESSION;
const nothing = { code: 0, stdout: '', stderr: '' };

describe.each(shells)('receipt.sh under $name', ({ argv }) => {
  const writesAnyLineAtOnce = realpathSync(argv[0]!).endsWith('dash');

  function world() {
    const file = path.join(tempFolder(), 'receipts');
    // No PATH that leads anywhere: every word of the script must be a builtin.
    const env: Record<string, string> = {
      PATH: '/nowhere',
      BATON_RECEIPTS: file,
      BATON_PANE: '%7',
      CLAUDE_CODE_SESSION_ID: SESSION,
      ANTHROPIC_API_KEY: 'sk-secret-value',
    };
    const note = (event: string, input: string | Buffer | null, tool: string[] = [], extra = {}) =>
      runScript([...argv, script, event, ...tool], input, { ...env, ...extra });
    const lines = () => readFileSync(file, 'utf8').split('\n').slice(0, -1);
    return { file, env, note, lines, receipts: () => lines().map(parseReceipt) };
  }

  test('every event leaves one line with what it is needed for', async () => {
    const { note, receipts } = world();
    const events: [string, string, string[], object][] = [
      ['SessionStart', payloads.startPayload('clear'), [], { source: 'clear', model: 'claude-opus-5-5' }],
      ['SessionEnd', payloads.endPayload('clear'), [], { reason: 'clear' }],
      ['UserPromptSubmit', payloads.promptPayload('do it'), [], { prompt: 'do it' }],
      ['Stop', payloads.stopPayload(), [], {}],
      ['StopFailure', payloads.failurePayload({ agent_id: 'a1' }), [], { error: 'rate_limit', agent_id: 'a1' }],
      [
        'PermissionRequest',
        payloads.permissionPayload('Bash', { command: 'rm x' }),
        [],
        { tool: 'Bash', tool_input: { command: 'rm x' } },
      ],
      ['PreCompact', payloads.compactPayload('manual'), [], { trigger: 'manual', blocked: false }],
      ['PostToolUse', payloads.toolPayload('Bash', 'private output'), ['Bash'], { tool: 'Bash' }],
      ['Notification', payloads.noticePayload(), [], { notification_type: 'permission_prompt' }],
    ];
    for (const [event, payload, tool] of events) expect(await note(event, payload, tool)).toMatchObject(nothing);
    expect(receipts()).toMatchObject(
      events.map(([event, , , what]) => ({ event, pane: '%7', session_id: SESSION, ...what })),
    );
  });

  test('the session named in the payload counts more than that of the environment', async () => {
    const { note, receipts } = world();
    await note('SessionStart', payloads.startPayload(), [], { CLAUDE_CODE_SESSION_ID: 'another' });
    await note('Stop', payloads.stopPayload(), [], { CLAUDE_CODE_SESSION_ID: 'another' });
    expect(receipts()).toMatchObject([{ session_id: SESSION }, { session_id: 'another' }]);
  });

  test('a prompt arrives letter by letter the same', async () => {
    const { note, receipts } = world();
    const prompts = [
      'two\nlines\r\nand\ttabs',
      'quotes " \' ` $(touch /tmp/x) $HOME $x \\ \\n \\\\" %s %d',
      'ünïcode 🎉 \u2028 \u0007 \u001b[31m',
      '-n -e --',
      '"},"event":"Stop","x":{"y":"',
      '',
      'long '.repeat(12_000),
    ];
    for (const prompt of prompts) await note('UserPromptSubmit', payloads.promptPayload(prompt));
    expect(receipts().map(receipt => receipt?.event === 'UserPromptSubmit' && receipt.prompt)).toEqual(prompts);
  });

  test('what a tool was given or answered is neither read nor written', async () => {
    const { note, lines, receipts } = world();
    const big = 'private '.repeat(40_000);
    expect(await note('PostToolUse', payloads.toolPayload('Write', big), ['Write'])).toMatchObject(nothing);
    expect(await note('Stop', payloads.stopPayload(big))).toMatchObject(nothing);
    expect(
      await note('PermissionRequest', payloads.permissionPayload('Write', { content: big }), ['Write']),
    ).toMatchObject(nothing);
    expect(lines().join()).not.toContain('private');
    expect(receipts()).toMatchObject([
      { event: 'PostToolUse', tool: 'Write', session_id: SESSION },
      { event: 'Stop', session_id: SESSION },
      { event: 'PermissionRequest', tool: 'Write', tool_input: null },
    ]);
  });

  test('a permission question too big to keep is noted without its input', async () => {
    const { note, lines, receipts } = world();
    await note('PermissionRequest', payloads.permissionPayload('Bash', { command: 'x'.repeat(300_000) }));
    expect(lines()[0]!.length).toBeLessThan(500);
    expect(receipts()).toMatchObject([{ event: 'PermissionRequest', tool_input: null, session_id: SESSION }]);
  });

  test('whatever it is fed, it ends well and leaves a readable line', async () => {
    const { note, receipts } = world();
    const hostile = [
      '',
      '\n',
      'no json\n',
      '[1,2]\n',
      '{"cut":"off',
      'null\n',
      '{}\n',
      '{"source":{"deep":[1]}}\n',
      Buffer.from([0x7b, 0xff, 0x00, 0xfe, 0x0a]),
      null,
    ];
    for (const input of hostile) expect(await note('SessionStart', input)).toMatchObject(nothing);
    expect(receipts()).toHaveLength(hostile.length);
    for (const receipt of receipts())
      expect(receipt).toMatchObject({ event: 'SessionStart', source: null, pane: '%7' });
  });

  test('a line that pretends to be an object is dropped by the reader, not believed', async () => {
    const { note, lines, receipts } = world();
    await note('UserPromptSubmit', '{"prompt":"x"},"event":"Stop","y":{}\n');
    await note('UserPromptSubmit', '{broken}\n');
    expect(lines()).toHaveLength(2);
    expect(receipts()).toMatchObject([{ event: 'UserPromptSubmit' }, null]);
  });

  test('odd values of the environment cannot break the line, and none of it is written', async () => {
    const { note, lines, receipts } = world();
    const odd = { BATON_PANE: '%1","event":"Stop', CLAUDE_CODE_SESSION_ID: 'a\nb' };
    await note('Stop', payloads.stopPayload(), ['a"b'], odd);
    await note('NoSuchEvent', '{}\n');
    expect(lines()).toHaveLength(1);
    expect(receipts()).toMatchObject([{ event: 'Stop', pane: null, session_id: null }]);
    await note('SessionStart', payloads.startPayload());
    expect(lines().join()).not.toMatch(/secret|API_KEY|nowhere/);
  });

  test('when Baton is gone nothing is said and nothing waits', async () => {
    const { file, note } = world();
    const gone = [
      path.join(path.dirname(file), 'no', 'such', 'folder', 'receipts'),
      path.dirname(file),
      '/dev/full',
      '/proc/version',
      '',
    ];
    for (const place of gone)
      expect(await note('UserPromptSubmit', payloads.promptPayload('x'), [], { BATON_RECEIPTS: place })).toMatchObject(
        nothing,
      );
    const fifo = path.join(path.dirname(file), 'fifo');
    await runScript(['/usr/bin/env', 'mkfifo', fifo], '', { PATH: process.env.PATH! });
    const ended = await note('Stop', payloads.stopPayload(), [], { BATON_RECEIPTS: fifo });
    expect(ended).toMatchObject(nothing);
    expect(ended.ms).toBeLessThan(5000);
  });

  test('only the owner can read receipts', async () => {
    const { file, note } = world();
    await note('Stop', payloads.stopPayload());
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test('compaction is blocked, with the reason, exactly while the block file exists and its writer lives', async () => {
    const { file, note, receipts } = world();
    const block = path.join(path.dirname(file), 'block');
    const wanted = { BATON_BLOCK_COMPACT: block };
    expect(await note('PreCompact', payloads.compactPayload(), [], wanted)).toMatchObject(nothing);
    const { pid: dead } = spawnSync('true');
    for (const text of ['', 'h-1\n', `${dead} h-1\n`, '0x1', '-1']) {
      writeFileSync(block, text);
      expect(await note('PreCompact', payloads.compactPayload(), [], wanted), text).toMatchObject(nothing);
    }
    rmSync(file);
    writeFileSync(block, `${process.pid} h-1\n`);
    const blocked = await note('PreCompact', payloads.compactPayload(), [], wanted);
    expect(blocked.code).toBe(2);
    expect(blocked.stderr).toContain('Baton holds compaction back');
    expect(await note('UserPromptSubmit', payloads.promptPayload('x'), [], wanted)).toMatchObject(nothing);
    expect(receipts()).toMatchObject([{ blocked: true }, { event: 'UserPromptSubmit' }]);
    // The block holds even where no receipt can be written.
    mkdirSync(path.join(path.dirname(file), 'folder'));
    const still = await note('PreCompact', payloads.compactPayload(), [], { ...wanted, BATON_RECEIPTS: '/dev/full' });
    expect(still.code).toBe(2);
  });

  describe('an order', () => {
    const atStop = '{"decision":"block","reason":"say \\"it\\" \\\\ %s $(x)"}';
    const atTool = '{"hookSpecificOutput":{"hookEventName":"PostToolUse","additionalContext":"now"}}';
    function ordered(name = 'h-1.1', whom = SESSION) {
      const at = world();
      const order = path.join(path.dirname(at.file), 'order');
      writeFileSync(order, `${name}\n${whom}\n${atStop}\n${atTool}\n`);
      const hook = (event: string, payload: string, tool: string[] = []) =>
        at.note(event, payload, tool, { BATON_ORDER: order });
      return { ...at, order, hook };
    }

    test('goes to the model by the first Stop or tool call, once, and the receipt says so', async () => {
      const { hook, receipts, order } = ordered();
      expect(await hook('UserPromptSubmit', payloads.promptPayload('x'))).toMatchObject(nothing);
      expect(await hook('Stop', payloads.stopPayload())).toMatchObject({ ...nothing, stdout: `${atStop}\n` });
      expect(await hook('Stop', payloads.stopPayload())).toMatchObject(nothing);
      expect(await hook('PostToolUse', payloads.toolPayload('Bash', 'x'), ['Bash'])).toMatchObject(nothing);
      expect(receipts()).toMatchObject([{}, { event: 'Stop', ordered: 'h-1.1' }, { ordered: null }, { ordered: null }]);
      expect(readFileSync(`${order}.h-1.1`, 'utf8')).toBe('');
      const other = ordered();
      const tool = await other.hook('PostToolUse', payloads.toolPayload('Bash', 'x'), ['Bash']);
      expect(tool).toMatchObject({ ...nothing, stdout: `${atTool}\n` });
      expect(other.receipts()).toMatchObject([{ event: 'PostToolUse', tool: 'Bash', ordered: 'h-1.1' }]);
    });

    test('of twenty hooks at once one has it', async () => {
      const { hook, receipts } = ordered();
      const said = await Promise.all(
        Array.from({ length: 20 }, () => hook('PostToolUse', payloads.toolPayload('Bash', 'x'), ['Bash'])),
      );
      expect(said.filter(({ stdout }) => stdout !== '')).toHaveLength(1);
      expect(said.every(({ code, stderr }) => code === 0 && stderr === '')).toBe(true);
      expect(receipts().filter(receipt => receipt !== null && 'ordered' in receipt && receipt.ordered)).toHaveLength(1);
    });

    test('is left alone by another session, by a subagent, and where it was taken back', async () => {
      const other = ordered('h-1.1', 'another');
      expect(await other.hook('Stop', payloads.stopPayload())).toMatchObject(nothing);
      const sub = ordered();
      const payload = payloads.toolPayload('Bash', 'x').replace('{', '{"agent_id":"a1",');
      expect(await sub.hook('PostToolUse', payload, ['Bash'])).toMatchObject(nothing);
      const taken = ordered();
      writeFileSync(`${taken.order}.h-1.1`, 'withdrawn\n');
      expect(await taken.hook('Stop', payloads.stopPayload())).toMatchObject(nothing);
      expect(taken.receipts()).toMatchObject([{ event: 'Stop', ordered: null }]);
    });

    test('with a bad name, half written, or no file at all does nothing', async () => {
      const bad = ordered('../h');
      expect(await bad.hook('Stop', payloads.stopPayload())).toMatchObject(nothing);
      writeFileSync(bad.order, `h-1.1\n${SESSION}\n`);
      expect(await bad.hook('Stop', payloads.stopPayload())).toMatchObject(nothing);
      writeFileSync(bad.order, '');
      expect(await bad.hook('Stop', payloads.stopPayload())).toMatchObject(nothing);
    });
  });

  // bash writes lines over 4 kB in parts, dash writes any line at once: docs/receipts.md.
  test('a receipt is one write, so that nothing can come between', async () => {
    const { env, lines } = world();
    const count = 'while read -r key value; do [ "$key" = syscw: ] && writes=$value; done </proc/$$/io';
    const tell = `before=$writes; ${count}; printf %s $((writes - before))`;
    const sourced = `${count}; trap '${tell}' EXIT; set -- UserPromptSubmit; . '${script}'`;
    const payload = payloads.promptPayload('x'.repeat(writesAnyLineAtOnce ? 50_000 : 2_000));
    expect((await runScript([...argv, '-c', sourced], payload, env)).stdout).toBe('1');
    expect(lines()).toHaveLength(1);
  });

  test('fifty hooks at once leave fifty whole lines', async () => {
    const { note, receipts } = world();
    const size = writesAnyLineAtOnce ? 20_000 : 2_000;
    const prompts = Array.from({ length: 50 }, (_, index) =>
      `${index} `.padEnd(size, String.fromCharCode(97 + (index % 26))),
    );
    await Promise.all(prompts.map(prompt => note('UserPromptSubmit', payloads.promptPayload(prompt))));
    const arrived = receipts().map(receipt => (receipt?.event === 'UserPromptSubmit' ? receipt.prompt : null));
    expect(arrived.toSorted()).toEqual(prompts.toSorted());
  });
});
