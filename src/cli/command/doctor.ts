// `baton doctor`: looks at everything Baton needs from this machine; changes nothing.

import { lstat, statfs } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { plainText } from '../../files/plain-text.ts';
import { exitCodes } from '../../protocol/fault.ts';
import { runtimeFolder } from '../../tmux/runtime.ts';
import type { CommandInput } from '../command-spec.ts';
import { askProgram, isAtLeast, parseVersion, type Version } from '../find-program.ts';
import { jsonText } from '../json-text.ts';
import { installLine } from '../need-programs.ts';
import type { Colour } from '../paint.ts';
import { bytesText } from '../span-text.ts';

type Finding = { what: string; state: 'good' | 'note' | 'bad'; finding: string; cure: string | null };

const LEAST_DISK_BYTES = 2_000_000_000; // below this the engine starts no agent
const signs: Record<Finding['state'], readonly [string, Colour]> = {
  good: ['✔', 'green'],
  note: ['!', 'yellow'],
  bad: ['✖', 'red'],
};

export async function run(input: CommandInput): Promise<number> {
  const findings = await Promise.all([
    checkNode(process.versions.node),
    checkProgram({ name: 'tmux', ask: ['-V'], least: [3, 2] }),
    checkProgram({ name: 'git', ask: ['--version'], least: [2, 30] }),
    checkClaude(),
    checkRuntimeFolder(runtimeFolder()),
    checkDisk(process.cwd()),
  ]);
  if (input.flag('json')) input.say(jsonText(findings));
  else {
    for (const { what, state, finding, cure } of findings) {
      const [sign, colour] = signs[state];
      input.say(`${input.out.paint(colour, sign)} ${what.padEnd(14)}  ${plainText(finding)}`);
      if (cure !== null) input.say(`    cure: ${cure}`);
    }
  }
  return findings.some(({ state }) => state === 'bad') ? exitCodes.missing : exitCodes.success;
}

function checkNode(version: string): Finding {
  const isGood = isAtLeast(parseVersion(version), [22, 22]);
  return {
    what: 'Node',
    state: isGood ? 'good' : 'bad',
    finding: version,
    cure: isGood ? null : 'install Node 24, or: npm install --save-dev node@24',
  };
}

async function checkProgram({ name, ask, least }: { name: string; ask: string[]; least: Version }): Promise<Finding> {
  const answer = await askProgram(name, ask);
  const cure = installLine([name]);
  if (answer === null) return { what: name, state: 'bad', finding: 'not found', cure };
  const isGood = isAtLeast(parseVersion(answer), least);
  return {
    what: name,
    state: isGood ? 'good' : 'bad',
    finding: isGood ? answer : `${answer}; ${least.join('.')} or newer is needed`,
    cure: isGood ? null : cure,
  };
}

async function checkClaude(): Promise<Finding> {
  const answer = await askProgram('claude', ['--version']);
  if (answer !== null) return { what: 'claude', state: 'good', finding: answer, cure: null };
  const cure = 'npm install -g @anthropic-ai/claude-code (only agents with provider "claude" need it)';
  return { what: 'claude', state: 'note', finding: 'not found', cure };
}

async function checkRuntimeFolder(folder: string): Promise<Finding> {
  const what = 'runtime folder';
  const stats = await lstat(folder).catch(() => null);
  if (stats === null) return { what, state: 'good', finding: `${folder} (made when needed)`, cure: null };
  if (!stats.isDirectory() || stats.uid !== userInfo().uid) {
    return {
      what,
      state: 'bad',
      finding: `${folder} is not a folder of yours`,
      cure: 'set BATON_RUNTIME_DIR to a folder you own',
    };
  }
  const isPrivate = (stats.mode & 0o077) === 0;
  const finding = isPrivate ? folder : `${folder} is open to others`;
  return { what, state: isPrivate ? 'good' : 'bad', finding, cure: isPrivate ? null : `chmod 700 ${folder}` };
}

async function checkDisk(folder: string): Promise<Finding> {
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  const isGood = free >= LEAST_DISK_BYTES;
  const cure = 'make room (`baton clean` removes working files of old executions); below 2 GB no agent starts';
  return {
    what: 'disk',
    state: isGood ? 'good' : 'bad',
    finding: `${bytesText(free)} free here`,
    cure: isGood ? null : cure,
  };
}
