// `baton new`: a request, or an agent, to begin with. Checked as `baton run` would before the file is written.

import { link, mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { providerNames } from '../../engine/provider.ts';
import { plainText } from '../../files/plain-text.ts';
import { exists, tempBeside, writeFileAtomic } from '../../files/write-file.ts';
import { exitCodes, Fault } from '../../protocol/fault.ts';
import type { Problem } from '../../protocol/request.ts';
import { AgentName, ExecutionId } from '../../protocol/text.ts';
import { loadRequest } from '../../request/load-request.ts';
import { withQuestions } from '../ask.ts';
import type { CommandInput } from '../command-spec.ts';
import { type Draft, defaultOutput, draftOf, requestOf } from '../draft-request.ts';
import { jsonText } from '../json-text.ts';
import { makeAgent, type Provider, providers } from '../make-agent.ts';
import { shellText } from '../shell-text.ts';

const ROLE = 'You do exactly what your task says, and say plainly when something is missing.';

export async function run(input: CommandInput): Promise<number> {
  const [kind, name] = input.args;
  if (kind === 'request') return newRequest(input, path.resolve(name ?? 'execution_request.json'));
  if (kind === 'agent') return newAgent(input, name);
  throw new Fault('invalid', `"baton new" makes no "${kind}"`, 'write: baton new request, or: baton new agent NAME');
}

async function newAgent(input: CommandInput, name: string | undefined): Promise<number> {
  if (name === undefined) throw new Fault('invalid', 'the agent has no name', 'write: baton new agent NAME');
  mustBe(AgentName, name, 'an agent');
  const folder = path.resolve('agents', name);
  const isNew = await makeAgent(folder, name, { provider: providerOf(input), role: ROLE });
  if (!isNew) throw new Fault('refused', `"${folder}" is there already`, 'choose another name, or edit what is there');
  input.say(plainText(folder));
  input.say(`next: write its role into ${plainText(path.join('agents', name, 'AGENT.md'))}, then: baton new request`);
  return exitCodes.success;
}

async function newRequest(input: CommandInput, file: string): Promise<number> {
  if (!input.flag('force') && (await exists(file)))
    throw new Fault('refused', `"${file}" is there already`, 'give --force to write over it, or name another file');
  const folder = path.dirname(file);
  const given = input.texts('agent');
  const id =
    input.text('id') ?? `exec-${new Date().toISOString().slice(0, 16).replaceAll(/[-:]/g, '').replace('T', '-')}`;
  const workspace = input.text('workspace') ?? null;
  const draft =
    given.length > 0
      ? draftOf({
          folder,
          id,
          workspace: workspace ?? id,
          agents: given,
          needs: input.texts('needs'),
          outputs: input.texts('output'),
          paths: input.texts('path'),
        })
      : await askDraft(input, { id, workspace, folder });
  const value = requestOf(draft, new Date().toISOString());
  const missing = new Set<number>();
  for (const [index, agent] of draft.agents.entries()) if (!(await exists(agent.folder))) missing.add(index);
  await check(value, folder, missing);
  await mkdir(folder, { recursive: true });
  const made: string[] = [];
  for (const [index, agent] of draft.agents.entries())
    if (missing.has(index) && (await makeAgent(agent.folder, agent.name, { provider: providerOf(input), role: ROLE })))
      made.push(agent.folder);
  await check(value, folder, new Set()); // now all of it, agents included
  await write(file, `${JSON.stringify(value, null, 2)}\n`, input.flag('force'));
  const next = shellText(['baton', 'run', '--request', path.relative(process.cwd(), file) || file]);
  if (input.flag('json')) input.say(jsonText({ file, agents_made: made, next, request: value }));
  else {
    input.say(plainText(file));
    for (const place of made)
      input.say(`  made ${plainText(path.relative(process.cwd(), place))}: its role is in AGENT.md`);
    input.say(`next: ${plainText(next.replace(' run ', ' explain ').replace('--request ', ''))}`);
    input.say(`then: ${plainText(next)}`);
  }
  return exitCodes.success;
}

async function askDraft(
  input: CommandInput,
  o: { id: string; workspace: string | null; folder: string },
): Promise<Draft> {
  const cure = 'give the agents: --agent "NAME=TASK" (repeatable)';
  return withQuestions(input, { cure, nothing: 'nothing was written' }, async ask => {
    const id = await ask('Name of the execution?', { otherwise: o.id, check: text => complaint(ExecutionId, text) });
    const isName = (text: string) =>
      text
        .split(/[\s,]+/)
        .map(each => complaint(AgentName, each))
        .find(each => each !== null) ?? null;
    const names = [...new Set((await ask('Agents, by name?', { otherwise: 'worker', check: isName })).split(/[\s,]+/))];
    const agents: Draft['agents'] = [];
    for (const name of names) {
      const task = await ask(`What is ${name} to do?`);
      const isKnown = (text: string) =>
        text === 'nobody' || text.split(/[\s,]+/).every(each => names.includes(each) && each !== name)
          ? null
          : `one of: ${names.filter(each => each !== name).join(', ')}, or nobody`;
      const needs =
        names.length === 1
          ? 'nobody'
          : await ask(`Who must be done before ${name}?`, { otherwise: 'nobody', check: isKnown });
      const output = await ask(`What file does ${name} make?`, { otherwise: defaultOutput(name) });
      agents.push({
        name,
        task,
        needs: needs === 'nobody' ? [] : needs.split(/[\s,]+/),
        output,
        folder: path.resolve(o.folder, 'agents', name),
      });
    }
    return { id, workspace: o.workspace ?? id, agents };
  });
}

// The real check. Agents that will be made are not missing.
async function check(value: object, folder: string, toBeMade: ReadonlySet<number>): Promise<void> {
  try {
    await loadRequest({ value, folder }, { allowRoots: [], providers: providerNames });
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const isExpected = ({ path: place, message }: Problem) => {
      const at = /^agents\[(\d+)\]\.agent_path$/.exec(place);
      return at !== null && toBeMade.has(Number(at[1])) && message.endsWith('does not exist');
    };
    const problems = error.problems.filter(problem => !isExpected(problem));
    if (problems.length > 0)
      throw new Fault('invalid', 'this request would be refused; nothing was written', 'change what is listed', {
        problems,
      });
  }
}

async function write(file: string, text: string, isForced: boolean): Promise<void> {
  if (isForced) return writeFileAtomic(file, text);
  const temp = tempBeside(file);
  await writeFileAtomic(temp, text);
  try {
    await link(temp, file); // unlike a rename, it never replaces what came meanwhile
  } catch (cause) {
    throw new Fault('refused', `"${file}" could not be made`, 'give --force to write over it, or name another file', {
      cause,
    });
  } finally {
    await rm(temp, { force: true });
  }
}

type Shape = { safeParse(value: unknown): { success: boolean; error?: { issues: { message: string }[] } | undefined } };

function complaint(shape: Shape, text: string): string | null {
  const read = shape.safeParse(text);
  return read.success ? null : `"${text}": ${read.error?.issues[0]?.message ?? 'not a name'}`;
}

function mustBe(shape: Shape, text: string, what: string): void {
  const wrong = complaint(shape, text);
  if (wrong !== null) throw new Fault('invalid', `${what} cannot be called ${wrong}`, 'choose another name');
}

function providerOf(input: CommandInput): Provider {
  const text = input.text('provider') ?? 'claude';
  const found = providers.find(each => each === text);
  if (found !== undefined) return found;
  throw new Fault('invalid', `--provider is "${text}"`, `write one of: ${providers.join(', ')}`);
}
