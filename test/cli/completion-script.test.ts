import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { commands } from '../../src/cli/commands.ts';
import { completionScripts } from '../../src/cli/completion-script.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'baton-completion-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const shells = Object.keys(completionScripts) as (keyof typeof completionScripts)[];
const isHere = (shell: string) => spawnSync(shell, ['-c', 'true']).status === 0;

test.each(shells.filter(isHere))('%s reads its script without complaint', shell => {
  const script = path.join(folder, shell);
  writeFileSync(script, completionScripts[shell](commands));
  const checked = spawnSync(shell, ['-n', script], { encoding: 'utf8' });
  expect(checked.stderr).toBe('');
  expect(checked.status).toBe(0);
});

test.each(shells)('the script for %s knows every command and every option', shell => {
  const script = completionScripts[shell](commands);
  for (const { name, options, hidden } of commands) {
    if (!hidden) expect(script).toContain(name);
    for (const option of Object.keys(options)) expect(script).toMatch(new RegExp(`(--|-l )${option}\\b`));
  }
});

// Answers as bash would when Tab is pressed at the end of the line; baton itself is stood in for.
function complete(...words: string[]): string[] {
  const ask = [
    'baton() { case "$*" in "list --ids") echo "exec-1 exec-2" ;; "list --agents") echo "coder tester" ;; esac; }',
    completionScripts.bash(commands),
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is bash that fills it in
    'COMP_WORDS=(baton "$@"); COMP_CWORD=$#; _baton; printf "%s\\n" "${COMPREPLY[@]}"',
  ];
  return execFileSync('bash', ['-c', ask.join('\n'), 'bash', ...words], { encoding: 'utf8' })
    .split('\n')
    .filter(Boolean);
}

test('bash completes commands, options, executions, agents and fixed words', () => {
  expect(complete('re')).toEqual(['resume', 'retry', 'report', 'release']);
  expect(complete('run', '--ag')).toEqual(['--again']);
  expect(complete('resume', '')).toEqual(['exec-1', 'exec-2']);
  expect(complete('retry', 'exec-1', 't')).toEqual(['tester']);
  expect(complete('logs', 'coder', '--execution', 'e')).toEqual(['exec-1', 'exec-2']);
  expect(complete('completion', '')).toEqual(['bash', 'zsh', 'fish']);
  expect(complete('help', 'val')).toEqual(['validate']);
});
