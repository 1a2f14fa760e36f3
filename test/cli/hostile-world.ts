// One execution, one project and a few files of which every text is hostile; and any command on a real terminal, with
// every byte that reaches it.

import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
// @ts-expect-error plain JavaScript, shared with the bench
import { fakeExecution } from '../bench/fake-execution.mjs';
import { builtBin } from '../dashboard/dash-world.ts';
import { makeCliWorld, until } from './cli-world.ts';

const { spawn } = createRequire(import.meta.url)('node-pty');

// The clipboard, the title, the screen, the cursor, hidden and blinking text, a report of the terminal, C1, bidi, HTML.
export const evil = [
  '\u001b]52;c;ZXZpbA==\u0007',
  '\u001b]0;owned\u0007\u001b]8;;http://evil.example\u001b\\',
  '\u001b[2J\u001b[1;1H\u001b[5;8;41m\u001b[?1049h\u001bc',
  '\u001b[6n\u0090q\u009c\u009d52;c;eA==\u009c\u009b41m',
  '\u202egnp\u2066\u200b',
  '<script>alert(1)</script>',
  '\b\b\b\r\u007f\u0000',
].join('');
const long = 'y'.repeat(1_000_000);
const bytes = Buffer.concat([
  Buffer.from(`${evil}begin\n`),
  Buffer.from([0xff, 0xfe, 0xc3, 0x28, 0x00, 0x9b, 0x34, 0x31, 0x6d, 0x0a]),
  Buffer.from(`${evil}${long}\n${evil}last words\n`),
]);

export function makeHostileWorld() {
  const world = makeCliWorld();
  const { at } = world;
  writeFileSync(at('evil'), bytes);
  writeFileSync(at('result.json'), JSON.stringify({ status: 'success', summary: evil + long.slice(0, 3000) }));
  const talk = `cat '${at('evil')}'; cat '${at('evil')}' >&2; cp '${at('result.json')}' "$BATON_RESULT_FILE"`;
  const site = `${talk}; mkdir -p "$BATON_OUTPUT_OUT"; cat '${at('evil')}' >"$BATON_OUTPUT_OUT/same.txt"; echo "$BATON_AGENT" >>"$BATON_OUTPUT_OUT/same.txt"; echo x >"$BATON_OUTPUT_OUT/$(printf 'n\\033]0;owned\\007\\342\\200\\256<b>')"`;
  const request = world.request('bad', [
    { name: 'left', script: site, outputs: { out: 'outputs/left/site' } },
    { name: 'right', script: site, outputs: { out: 'outputs/right/site' } },
    { name: 'fails', script: `${talk}; exit 3` },
    { name: 'never', script: talk, needs: ['fails'] },
  ]);

  // A project with a handoff document, an archive and settings, all hostile.
  const project = at('project');
  mkdirSync(path.join(project, 'docs', 'HANDOFF-archive'), { recursive: true });
  for (const name of ['HANDOFF.md', 'HANDOFF-archive/HANDOFF-2025-01-20-1430.md'])
    writeFileSync(path.join(project, 'docs', name), Buffer.concat([Buffer.from(`# ${name} ${evil}\n`), bytes]));
  spawnSync('git', ['init', '-q', project], { env: world.env });
  mkdirSync(at('unset'));
  writeFileSync(at('unset', 'baton.json'), JSON.stringify({ [evil]: 1, context_threshold: evil }));
  writeFileSync(at('shape.json'), JSON.stringify({ [evil]: evil, execution_id: evil, agents: [{ agent_name: evil }] }));
  writeFileSync(at('no-utf8.json'), bytes);
  writeFileSync(at('no-json.json'), `{"a": ${evil}${long}`);
  writeFileSync(at('pack.ctxp'), bytes);

  // An execution that runs and asks, as its files show it.
  function beginAsking(): void {
    const fake = fakeExecution({ folder: world.folder, id: 'asking', agents: 2, state: 'running' });
    const question = {
      kind: 'question',
      title: `really? ${evil}${long}`,
      options: [{ number: 1, label: `${evil}yes` }],
      digest: 'abcdef0123456789',
      asked_at: new Date().toISOString(),
    };
    const { claude } = fake.line(0, 1);
    fake.write(
      {
        'agent-00': { last_line: evil + long, note: evil, claude: { ...claude, question } },
        'agent-01': { status: 'parked', claude: { ...claude, parked: { reason: evil + long, until: null } } },
      },
      { note: `${evil}held back` },
    );
  }

  function openTerminal(argv: readonly string[], size = { cols: 100, rows: 30 }) {
    const env = { ...world.env, TERM: 'xterm-256color', COLORTERM: 'truecolor' };
    const terminal = spawn(process.execPath, [builtBin, ...argv], { ...size, env, cwd: project });
    const seen = { text: '' };
    terminal.onData((text: string) => {
      seen.text += text;
    });
    const ended = new Promise<number>(resolve =>
      terminal.onExit(({ exitCode }: { exitCode: number }) => resolve(exitCode)),
    );
    const sees = (what: RegExp, limitMs = 30_000) =>
      until(
        () => what.test(seen.text),
        () => `${what} in ${JSON.stringify(seen.text.slice(-1500))}`,
        limitMs,
      );
    return { seen, ended, sees, type: (keys: string) => terminal.write(keys), kill: () => terminal.kill() };
  }

  return { ...world, project, request: () => request, beginAsking, openTerminal };
}

// What Baton itself sends: its colours; a live face also moves its cursor, hides it and knows modes of its own.
const COLOURS = /\u001b\[(?:0|1|2|22|7|27|39|3[1-6]|9[1-5]|38;2;\d+;\d+;\d+)?m/g;
const LIVE = /\u001b\[(?:\d*[ABCDEGJK]|H|\d+;\d+H|\?(?:25|1049|1000|1004|1006|2004|2026)[hl])/g;

// A notice: bell and title, whose text is clean.
const NOTICE = /\u001b\[2[23];2t|\u001b\]2;baton: [^\u0000-\u001f\u007f-\u009f]*\u0007\u0007?/g;

export function controlsIn(text: string, isLive = false): string | null {
  const rest = (isLive ? text.replaceAll(NOTICE, '').replaceAll(LIVE, '') : text)
    .replaceAll(COLOURS, '')
    .replaceAll('\r\n', '\n');
  const bad = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]/.exec(
    isLive ? rest.replaceAll('\r', '') : rest,
  );
  return bad === null ? null : JSON.stringify(rest.slice(Math.max(0, bad.index - 60), bad.index + 40));
}
