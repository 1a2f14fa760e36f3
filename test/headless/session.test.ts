import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { claudeArguments, promptLine } from '../../src/headless/claude-arguments.ts';
import { exitNameOf } from '../../src/headless/exit-name.ts';
import { judgeSession, type SessionFacts } from '../../src/headless/judge-session.ts';
import { keepRun, readHistory } from '../../src/headless/keep-history.ts';
import type { EndOfTurn } from '../../src/headless/read-stream.ts';
import { addHook, hookCommand, isCompactionMarked, writeSessionSettings } from '../../src/headless/session-settings.ts';
import { type SessionSeen, type SessionState, stepSession } from '../../src/headless/session-state.ts';
import { endings, HeadlessSettings } from '../../src/protocol/chain.ts';

const folderOf = () => {
  const folder = mkdtempSync('/tmp/bt-hs-');
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};

const quiet: SessionSeen = {
  nowMs: 1000,
  isContextFull: false,
  isSpent: false,
  turnEnded: false,
  isBroken: false,
  isAskTaken: false,
  hasSection: false,
};
const working: SessionState = { phase: 'working' };
const asked = (time: 1 | 2, sinceMs = 900): SessionState => ({ phase: 'asked', time, sinceMs });
const interrupting = (after: 'ask' | 'close', sinceMs = 900): SessionState => ({
  phase: 'interrupting',
  after,
  sinceMs,
});

test.each<[string, SessionState, Partial<SessionSeen>, string, string[]]>([
  ['works on', working, {}, 'working', []],
  ['closes when its turn has ended', working, { turnEnded: true }, 'closing', ['close']],
  ['is asked for a handoff when its context is full', working, { isContextFull: true }, 'asked', ['ask']],
  ['is asked even when the turn has just ended', working, { isContextFull: true, turnEnded: true }, 'asked', ['ask']],
  [
    'is not asked after an API error',
    working,
    { isContextFull: true, turnEnded: true, isBroken: true },
    'closing',
    ['close'],
  ],
  [
    'is interrupted when the money is spent',
    working,
    { isSpent: true },
    'interrupting',
    ['note_cost_cap', 'interrupt'],
  ],
  ['may have spent it all when it ends by itself', working, { isSpent: true, turnEnded: true }, 'closing', ['close']],
  [
    'is not asked when that would cost more than there is',
    working,
    { isSpent: true, turnEnded: true, isContextFull: true },
    'closing',
    ['note_cost_cap', 'close'],
  ],
  ['has time to answer', asked(1), { isContextFull: true }, 'asked', []],
  ['closes when the section is there', asked(1), { turnEnded: true, hasSection: true }, 'closing', ['close']],
  ['closes when it answered without a section', asked(1), { turnEnded: true, isAskTaken: true }, 'closing', ['close']],
  ['waits when only the turn before the question ended', asked(1), { turnEnded: true }, 'asked', []],
  ['closes when the API fails it', asked(1), { turnEnded: true, isBroken: true }, 'closing', ['close']],
  ['is interrupted when it does not answer', asked(1, -9000), {}, 'interrupting', ['interrupt']],
  ['is stopped for its cost while asked', asked(1), { isSpent: true }, 'interrupting', ['note_cost_cap', 'interrupt']],
  ['is asked again after the interrupt', interrupting('ask'), { turnEnded: true }, 'asked', ['ask']],
  ['waits for the interrupt', interrupting('ask'), {}, 'interrupting', []],
  ['does not wait for it for ever', interrupting('close', -5000), {}, 'closing', ['close']],
  ['is not asked a third time', asked(2, -9000), {}, 'interrupting', ['interrupt']],
  [
    'closes once',
    { phase: 'closing', sinceMs: 0 },
    { turnEnded: true, isSpent: true, isContextFull: true },
    'closing',
    [],
  ],
])('a session %s', (_what, state, seen, phase, effects) => {
  const step = stepSession(state, { ...quiet, ...seen }, 5000);
  expect([step.next.phase, step.effects]).toEqual([phase, effects]);
});

test('after the second question it is only closed', () => {
  const { next } = stepSession(asked(2, -9000), quiet, 5000);
  expect(next).toMatchObject({ phase: 'interrupting', after: 'close' });
});

const end = (more: Partial<EndOfTurn> = {}): EndOfTurn => ({
  subtype: 'success',
  isError: false,
  text: 'ok',
  apiStatus: null,
  terminalReason: 'completed',
  turns: 1,
  denials: [],
  ...more,
});
const facts = (more: Partial<SessionFacts>): SessionFacts => ({
  stop: null,
  results: [end()],
  wasAsked: false,
  handoff: null,
  exit: { code: 0, signal: null },
  complaints: '',
  ...more,
});
const denial = { tool: 'Bash', input: { command: 'rm x' } };
const complete = { isComplete: true, body: '' };
const failed = { code: 1, signal: null };

test.each<[string, Partial<SessionFacts>, string, RegExp | null]>([
  ['a plain end', {}, 'completed', null],
  [
    'refused tools',
    { results: [end({ denials: [denial] })] },
    'completed_with_denials',
    /1 tool calls were not permitted: Bash/,
  ],
  [
    'an API error that calls itself success',
    {
      results: [end({ isError: true, apiStatus: 529, terminalReason: 'api_error', text: 'API Error: 529' })],
      exit: failed,
    },
    'api_error',
    /529/,
  ],
  [
    'an error that only calls itself success',
    { results: [end({ isError: true, terminalReason: null })] },
    'api_error',
    /ok/,
  ],
  [
    'an API error without a status',
    { results: [end({ isError: true, terminalReason: 'api_error' })] },
    'api_error',
    /ok/,
  ],
  [
    'a prompt that is too long',
    { results: [end({ isError: true, apiStatus: 400, terminalReason: 'prompt_too_long' })] },
    'context_full',
    /ok/,
  ],
  [
    'turns that ran out',
    {
      results: [end({ subtype: 'error_max_turns', isError: true, text: 'Reached maximum number of turns (1)' })],
      exit: failed,
    },
    'max_turns',
    /maximum number of turns/,
  ],
  [
    'turns that ran out after COMPLETE',
    { results: [end({ subtype: 'error_max_turns', isError: true })], handoff: complete, exit: failed },
    'completed',
    null,
  ],
  [
    'the budget',
    { results: [end({ subtype: 'error_max_budget_usd', isError: true })], exit: failed },
    'cost_cap',
    /max_chain_cost_usd/,
  ],
  [
    'our own stop for cost',
    { stop: 'cost_cap', results: [end({ subtype: 'error_during_execution', isError: true })] },
    'cost_cap',
    /max_chain_cost_usd/,
  ],
  ['a full context', { wasAsked: true }, 'context_full', /context was full/],
  ['a full context and COMPLETE', { wasAsked: true, handoff: complete }, 'completed', null],
  [
    'another error of Claude Code',
    { results: [end({ subtype: 'error_during_execution', isError: true, text: '' })] },
    'error',
    /error_during_execution/,
  ],
  ['no result', { results: [], exit: failed, complaints: 'unknown option\n' }, 'error', /exit code 1: unknown option/],
  ['a signal', { results: [], exit: { code: null, signal: 'SIGKILL' } }, 'error', /signal SIGKILL/],
  ['a failure after the answer', { exit: failed }, 'error', /answered, then failed/],
  ['a cancel', { stop: 'cancelled', handoff: complete }, 'cancelled', /cancelled/],
  ['the time', { stop: 'timeout', results: [] }, 'timeout', /max_seconds/],
  ['silence', { stop: 'stalled', results: [] }, 'stalled', /max_silence_seconds/],
])('tells %s apart', (_what, more, endedBy, reason) => {
  const verdict = judgeSession(facts(more));
  expect(verdict.ended_by).toBe(endedBy);
  if (reason === null) expect(verdict.reason).toBeNull();
  else expect(verdict.reason).toMatch(reason);
});

test('only a good end is exit code 0', () => {
  const codes = endings.map(ended_by => exitNameOf({ ended_by, ended_well: ended_by.startsWith('completed') }));
  expect(codes.filter(name => name === 'success')).toHaveLength(2);
  expect(exitNameOf({ ended_by: 'cancelled', ended_well: false })).toBe('cancelled');
  expect(exitNameOf({ ended_by: 'timeout', ended_well: false })).toBe('timeout');
  expect(exitNameOf({ ended_by: 'api_error', ended_well: false })).toBe('failure');
});

const settings = (more = {}) =>
  HeadlessSettings.parse({ claude_path: '/c', cwd: '/', prompt: 'x', raw_file: '/r', result_file: '/s', ...more });
const plan = { sessionId: 'id', settingsFile: '/f', budgetUsd: 1.25 };
const after = (argv: string[], flag: string) => argv[argv.indexOf(flag) + 1];

test('the arguments carry mode, model, role, turns and what is left of the money', () => {
  const argv = claudeArguments(
    settings({ model: 'haiku', append_system_prompt: 'ROLE', permission_mode: 'plan', arguments: ['--x'] }),
    plan,
  );
  expect(after(argv, '--permission-mode')).toBe('plan');
  expect(after(argv, '--model')).toBe('haiku');
  expect(after(argv, '--max-turns')).toBe('30');
  expect(after(argv, '--max-budget-usd')).toBe('1.250000');
  expect(after(argv, '--append-system-prompt')).toMatch(/^ROLE\n\n.*## HANDOFF/s);
  expect(argv.at(-1)).toBe('--x');
  expect(argv.join(' ')).not.toMatch(/dangerously|bypass/);
});

test('without continuations nothing is said about handoffs', () => {
  const argv = claudeArguments(settings({ limits: { max_agent_continuations: 0 } }), plan);
  expect(argv).not.toContain('--append-system-prompt');
});

test.each(['/clear', '!rm x', '#note', ' /compact'])(
  'a prompt that looks like a command (%s) is not run as one',
  prompt => {
    const { message } = JSON.parse(promptLine('id', prompt));
    expect(message.content).toBe(`The task:\n${prompt}`);
  },
);

test('the hook marks and blocks, in any folder, under the shell of the system', async () => {
  const mark = path.join(folderOf(), "it's a mark");
  expect(await isCompactionMarked(mark)).toBe(false);
  const run = spawnSync('/bin/sh', ['-c', hookCommand(mark, true)], {
    input: '{"trigger":"auto"}\n',
    encoding: 'utf8',
  });
  expect([run.status, run.stderr]).toEqual([2, 'Baton goes on in a fresh session instead\n']);
  expect(readFileSync(mark, 'utf8')).toBe('{"trigger":"auto"}\n');
  expect(await isCompactionMarked(mark)).toBe(true);
  execFileSync('/bin/sh', ['-c', hookCommand(mark, false)], { input: '{"trigger":"manual"}' });
  expect(readFileSync(mark, 'utf8')).toContain('manual');
});

test("the caller's settings are kept, and an old mark does not count", async () => {
  const folder = folderOf();
  const from = path.join(folder, 'given.json');
  const theirs = { hooks: [{ type: 'command', command: 'true' }] };
  writeFileSync(from, JSON.stringify({ model: 'opus', hooks: { Stop: [theirs], PreCompact: [theirs] } }));
  const beside = path.join(folder, 'raw');
  writeFileSync(`${beside}.compaction`, 'old\n');
  const { settingsFile, compactionMark } = await writeSessionSettings({ from, beside, blocks: true });
  const written = JSON.parse(readFileSync(settingsFile, 'utf8'));
  expect(written).toMatchObject({ model: 'opus', hooks: { Stop: [theirs], PreCompact: [theirs, {}] } });
  expect(await isCompactionMarked(compactionMark)).toBe(false);
});

test('settings whose hooks are no hooks are refused by name', () => {
  expect(() => addHook({ hooks: [] }, 'true', '/x.json')).toThrow('"/x.json": "hooks" is not an object');
  expect(() => addHook({ hooks: { PreCompact: {} } }, 'true', '/x.json')).toThrow('is not a list');
});

test('runs that end together are all counted in the history of their agent', async () => {
  const folder = folderOf();
  const run = {
    at: '2026-01-01T00:00:00.000Z',
    continuations: 1,
    pre_compacted: true,
    ended_by: 'completed' as const,
    turns: 1,
    cost_usd: 0,
    task: { characters: 1, inputs: 0, outputs: 0, criteria: 0 },
  };
  const runs = Array.from({ length: 8 }, (_, n) => ({ ...run, at: `2026-01-01T00:00:0${n}.000Z` }));
  const kept = await Promise.all(runs.map(each => keepRun(folder, 'coder', each)));
  expect((await readHistory(folder, 'coder')).total_continuations).toBe(8);
  expect(kept.some(({ warning }) => warning?.includes('too big'))).toBe(true);
  expect((await readHistory(folder, 'other')).runs).toBe(0);
  // An engine that was killed while it ended an attempt does so again.
  await keepRun(folder, 'coder', runs[3]!);
  expect((await readHistory(folder, 'coder')).total_continuations).toBe(8);
});
