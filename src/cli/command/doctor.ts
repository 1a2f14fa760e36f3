// `baton doctor`: looks at everything Baton needs from this machine; changes nothing.

import { claudeVersion, findClaude, newestTried, versionNote } from '../../claude/find-claude.ts';
import { stateFolder } from '../../engine/find-execution.ts';
import { plainText } from '../../files/plain-text.ts';
import { exitCodes, Fault } from '../../protocol/fault.ts';
import type { Colour } from '../../text/paint.ts';
import { refuseLongFolder, runtimeFolder } from '../../tmux/runtime.ts';
import { checkDisk, checkFolder, type Finding } from '../check-folders.ts';
import { checkWatchdog } from '../check-watchdog.ts';
import type { CommandInput } from '../command-spec.ts';
import { askProgram, isAtLeast, parseVersion, type Version } from '../find-program.ts';
import { jsonText } from '../json-text.ts';
import { installLine } from '../need-machine.ts';

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
    checkRuntimeFolder(),
    checkFolder({ what: 'state folder', folder: stateFolder(), variable: 'BATON_STATE_DIR', isPrivate: false }),
    checkDisk(process.cwd()),
    checkWatchdog(),
  ]);
  if (input.flag('json')) input.say(jsonText(findings));
  else {
    for (const { what, state, finding, cure } of findings) {
      const [sign, colour] = signs[state];
      input.say(`${input.out.paint(colour, sign)} ${what.padEnd(14)}  ${plainText(finding)}`);
      if (cure !== null) input.say(`    cure: ${cure}`);
    }
  }
  if (findings.some(({ state }) => state === 'bad')) return exitCodes.missing;
  if (!input.flag('json')) input.say('ready; `baton new request` writes a request to begin with');
  return exitCodes.success;
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
  const file = await findClaude(undefined, process.env).catch(() => null);
  const cure = 'npm install -g @anthropic-ai/claude-code (only agents that are Claude Code sessions need it)';
  if (file === null) return { what: 'claude', state: 'note', finding: 'not found', cure };
  const version = await claudeVersion(file);
  const note = versionNote(version);
  if (note === null) return { what: 'claude', state: 'good', finding: `${version} (${file})`, cure: null };
  return {
    what: 'claude',
    state: 'note',
    finding: `${note} (${file})`,
    cure: `it is used all the same; tried: ${newestTried}`,
  };
}

async function checkRuntimeFolder(): Promise<Finding> {
  const what = 'runtime folder';
  try {
    refuseLongFolder();
    return await checkFolder({ what, folder: runtimeFolder(), variable: 'BATON_RUNTIME_DIR', isPrivate: true });
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { what, state: 'bad', finding: error.message, cure: error.cure };
  }
}
