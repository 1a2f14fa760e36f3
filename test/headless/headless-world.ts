// A practice model, a config folder and a working folder of their own for one test, and a headless run in them
// on the real Claude Code.

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { runWithContinuation } from '../../src/headless/run-with-continuation.ts';
import { practiceEnvironment, seedPracticeHome } from '../../src/practice/practice-home.ts';
import { startPractice } from '../../src/practice/start-practice.ts';
import { type ChainLimits, HeadlessSettings } from '../../src/protocol/chain.ts';
import { PracticeScript } from '../../src/protocol/practice.ts';

const claude = path.resolve('node_modules/.bin/claude');

type Rules = Array<Record<string, unknown>>;
type More = { limits?: Partial<ChainLimits>; arguments?: string[]; claude_path?: string };

export async function makeHeadlessWorld(rules: Rules) {
  const folder = mkdtempSync('/tmp/bt-hl-');
  const cwd = path.join(folder, 'work');
  const home = path.join(folder, 'config');
  mkdirSync(cwd);
  await seedPracticeHome(home, { trusted: [cwd] });
  const practice = await startPractice({ script: PracticeScript.parse({ about: 'a test', rules }) });
  onTestFinished(async () => {
    await practice.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const settingsFile = path.join(folder, 'claude-settings.json');
  writeFileSync(settingsFile, JSON.stringify({ permissions: { allow: ['Bash(echo *)', 'Bash(sleep *)'] } }));

  const settingsOf = (more: More = {}): HeadlessSettings =>
    HeadlessSettings.parse({
      claude_path: more.claude_path ?? claude,
      cwd,
      prompt: 'TASK: write the report',
      settings_file: settingsFile,
      env: { ...practiceEnvironment(practice.url, home), CLAUDE_CODE_MAX_RETRIES: '1' },
      arguments: more.arguments ?? [],
      limits: { max_seconds: 60, max_silence_seconds: 20, ...more.limits },
      raw_file: path.join(folder, 'raw.ndjson'),
      result_file: path.join(folder, 'result.json'),
    });

  return {
    folder,
    cwd,
    practice,
    settingsOf,
    // The prompts each request of the main conversation carried, by the session that asked.
    prompts: () => practice.requests().filter(request => request.kind !== 'side'),
    raw: () =>
      readFileSync(path.join(folder, 'raw.ndjson'), 'utf8')
        .trimEnd()
        .split('\n')
        .map(line => JSON.parse(line)),
    async run(more: More = {}, signal = new AbortController().signal) {
      const shown: string[] = [];
      const complaints: string[] = [];
      const result = await runWithContinuation({
        settings: settingsOf(more),
        print: lines => shown.push(...lines),
        complain: text => complaints.push(text),
        signal,
      });
      return { result, shown: shown.join('\n'), complaints: complaints.join('') };
    },
  };
}

export const echo = (text: string) => ({ name: 'Bash', input: { command: `echo ${text}`, description: 'say' } });
