// A request from a file or a value, checked whole before anything is touched: the one file of this room that
// looks at the disk. It changes nothing there. All that is wrong is told at once, in one Fault.

import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { access, lstat } from 'node:fs/promises';
import path from 'node:path';
import { realTarget } from '../files/guard-path.ts';
import { NotRegular, openRegular } from '../files/read-file.ts';
import { AgentConfig } from '../protocol/agent.ts';
import { Fault } from '../protocol/fault.ts';
import type { AgentRequest, ExecutionRequest, Problem } from '../protocol/request.ts';
import { checkGraph } from './check-graph.ts';
import { checkPlaces, placesOf, type ReadConfig } from './check-places.ts';
import { checkAgentConfig, checkShape } from './check-shape.ts';
import { MAX_REQUEST_BYTES, parseJson, tooLarge } from './parse-json.ts';
import type { PathFact, PathFacts } from './place-tree.ts';
import { quote } from './quote.ts';
import { salvageRequest } from './salvage-request.ts';

export type RequestSource = { file: string } | { value: unknown; folder: string };
export type LoadOptions = { allowRoots: string[]; providers: string[] };

export type LoadedAgent = {
  request: AgentRequest;
  agentPath: string;
  config: AgentConfig;
  inputs: Record<string, string>;
  outputs: Record<string, string>;
};
export type LoadedRequest = {
  request: ExecutionRequest;
  sha256: string; // of the exact bytes of the file, or of JSON.stringify(value)
  file: string | null;
  workspace: string; // absolute, links resolved
  roots: string[]; // real folders that may be written to; the workspace is the first
  agents: LoadedAgent[];
};

// A request with more problems than this is not cured by reading on.
const MAX_PROBLEMS = 500;

export async function loadRequest(source: RequestSource, o: LoadOptions): Promise<LoadedRequest> {
  const file = 'file' in source ? path.resolve(source.file) : null;
  const { text, sha256 } = 'file' in source ? await readText(file!) : valueText(source.value);
  const parsed = parseJson(text);
  if (!parsed.ok) throw refusal([parsed.problem], file);
  const shape = checkShape(parsed.value);
  const request = shape.request ?? salvageRequest(parsed.value);
  if (request === null) throw refusal(shape.problems, file);
  const folder = 'file' in source ? path.dirname(file!) : path.resolve(source.folder);
  const found = request.workspace_root === '' ? null : await surroundingsOf(request, { folder, file }, o);
  const later = [
    ...checkGraph(request),
    ...(found === null ? [] : [...found.problems, ...checkPlaces(request, found)]),
  ];
  const wrong = new Set(shape.problems.map(problem => problem.path));
  const problems = [...shape.problems, ...later.filter(problem => !isCovered(problem.path, wrong))];
  if (problems.length > 0 || found === null) throw refusal(problems, file);
  const { workspace, roots, agentConfigs } = found;
  const places = placesOf(request, workspace).agents;
  const agents = request.agents.map((agent, index) => {
    const place = places[index]!;
    return { request: agent, config: agentConfigs.get(place.agentPath)!.config!, ...place };
  });
  return { request, sha256, file, workspace, roots, agents };
}

// A place whose shape is wrong is not judged further: it was only stood in for.
function isCovered(place: string, wrong: Set<string>): boolean {
  if (place !== '' && wrong.has(place)) return true;
  for (let end = 1; end < place.length; end += 1) {
    if ((place[end] === '.' || place[end] === '[') && wrong.has(place.slice(0, end))) return true;
  }
  return false;
}

function refusal(problems: Problem[], file: string | null): Fault {
  const name = file === null ? 'the request' : quote(file);
  const shown = problems.slice(0, MAX_PROBLEMS);
  const left = problems.length - shown.length;
  if (left > 0) shown.push({ path: '', message: `${left} more problems are not shown`, cure: 'correct these first' });
  const count = problems.length === 1 ? 'a problem' : `${problems.length} problems`;
  return new Fault('invalid', `${name} has ${count}; nothing was touched`, 'correct what is listed and try again', {
    problems: shown,
  });
}

async function readText(file: string): Promise<{ text: string; sha256: string }> {
  let bytes: Buffer;
  try {
    bytes = await readWhole(file);
  } catch (error) {
    const problem = {
      path: '',
      message: `${quote(file)} ${readTrouble(error)}`,
      cure: 'name the file of an execution request',
    };
    throw new Fault('invalid', problem.message, problem.cure, { problems: [problem], cause: error });
  }
  if (bytes.length > MAX_REQUEST_BYTES) throw refusal([tooLarge()], file);
  return { text: decode(bytes, problem => refusal([problem], file)), sha256: hashOf(bytes) };
}

// One byte more than allowed is enough to know that there is too much. Not a stream: two hundred small
// files took 48 ms through streams and 21 ms this way.
async function readWhole(file: string): Promise<Buffer> {
  const handle = await openRegular(file, { follow: true });
  try {
    const { size } = await handle.stat();
    const buffer = Buffer.alloc(Math.min(size, MAX_REQUEST_BYTES) + 1);
    let length = 0;
    for (;;) {
      const { bytesRead } = await handle.read(buffer, length, buffer.length - length);
      length += bytesRead;
      if (bytesRead === 0 || length >= size || length === buffer.length) break;
    }
    if (length > size) throw new Error('it grew while it was read');
    return buffer.subarray(0, length);
  } finally {
    await handle.close();
  }
}

function valueText(value: unknown): { text: string; sha256: string } {
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch {
    // A circle, a BigInt or endless depth: told below, as for a value that is no JSON at all.
  }
  if (text === undefined) {
    throw refusal(
      [
        {
          path: '',
          message: 'the request cannot be written as JSON',
          cure: 'pass plain objects, lists, texts and numbers',
        },
      ],
      null,
    );
  }
  return { text, sha256: hashOf(text) };
}

const hashOf = (content: Buffer | string) => createHash('sha256').update(content).digest('hex');

function decode(bytes: Buffer, refuse: (problem: Problem) => Error): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw refuse({ path: '', message: 'the file is not valid UTF-8', cure: 'save it as UTF-8' });
  }
}

const troubles: Record<string, string> = {
  ENOENT: 'does not exist',
  EACCES: 'may not be read',
  EPERM: 'may not be read',
  ENOTDIR: 'lies below something that is no folder',
  ELOOP: 'runs through too many symlinks',
  ENAMETOOLONG: 'is too long a path',
};

function readTrouble(error: unknown): string {
  if (error instanceof NotRegular) {
    return error.message.replace(/^".*" (is .*), not a regular file$/s, '$1, not a file');
  }
  const code = (error as NodeJS.ErrnoException).code ?? '';
  return troubles[code] ?? `cannot be looked at: ${(error as Error).message}`;
}

type Origin = { folder: string; file: string | null };

async function surroundingsOf(request: ExecutionRequest, { folder, file }: Origin, o: LoadOptions) {
  const look = newLook();
  const lexical = path.resolve(folder, request.workspace_root);
  const workspace = (await look(lexical)).real;
  const allowed = await Promise.all(o.allowRoots.map(root => look(path.resolve(root))));
  const { all, agents } = placesOf(request, workspace);
  const agentPaths = [...new Set(agents.map(agent => agent.agentPath))];
  const [facts, configs] = await Promise.all([
    Promise.all(all.map(async place => [place, await withRight(await look(place))] as const)),
    Promise.all(agentPaths.map(async place => [place, await readConfig(place)] as const)),
  ]);
  const problems = allowed.flatMap(({ kind, trouble }, index): Problem[] => {
    if (trouble === undefined && (kind === 'folder' || kind === null)) return [];
    return [{ path: '', message: `--allow-root ${quote(o.allowRoots[index]!)} is no folder`, cure: 'name a folder' }];
  });
  return {
    workspace,
    realWorkspace: workspace,
    roots: [...new Set([workspace, ...allowed.map(fact => fact.real)])],
    facts: new Map(facts) as PathFacts,
    agentConfigs: new Map<string, ReadConfig>(configs),
    requestFile: file === null ? null : (await look(file)).real,
    providers: o.providers,
    problems,
  };
}

// Looks at paths from the top down, each folder once, and stops at the first part that is not there: a path
// of two thousand missing parts costs no more than one. The target of a link gets a look of its own, so that
// two looks can never wait for each other.
function newLook(): (place: string) => Promise<PathFact> {
  const known = new Map<string, Promise<PathFact>>();
  return async place => {
    const segments = place.split('/').filter(segment => segment !== '');
    let fact: PathFact = { real: '/', kind: 'folder', readable: true };
    let walked = '';
    for (const [index, segment] of segments.entries()) {
      if (fact.kind !== 'folder') return factBelow(fact, segments.slice(index));
      walked += `/${segment}`;
      const next: Promise<PathFact> = known.get(walked) ?? lookAt(path.join(fact.real, segment));
      known.set(walked, next);
      fact = await next;
    }
    return fact;
  };
}

function factBelow(fact: PathFact, rest: string[]): PathFact {
  const nothing = { real: path.join(fact.real, ...rest), kind: null, readable: false };
  const trouble = fact.kind === null ? fact.trouble : troubles.ENOTDIR;
  return trouble === undefined ? nothing : { ...nothing, trouble };
}

async function lookAt(here: string): Promise<PathFact> {
  try {
    const stats = await lstat(here);
    if (stats.isSymbolicLink()) return await newLook()(await realTarget(here));
    return { real: here, kind: stats.isFile() ? 'file' : stats.isDirectory() ? 'folder' : 'other', readable: true };
  } catch (error) {
    const nothing = { real: here, kind: null, readable: false };
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return nothing;
    return { ...nothing, trouble: readTrouble(error) };
  }
}

// Asked only for what the request names, not for every folder on the way there.
async function withRight(fact: PathFact): Promise<PathFact> {
  if (fact.kind === null) return fact;
  const readable = await access(fact.real, constants.R_OK).then(
    () => true,
    () => false,
  );
  return { ...fact, readable };
}

// No agent.json means an agent with all defaults. A folder that is not there is told elsewhere.
async function readConfig(folder: string): Promise<ReadConfig> {
  try {
    const bytes = await readWhole(path.join(folder, 'agent.json'));
    const parsed = parseJson(decode(bytes, problem => new Error(problem.message)));
    return parsed.ok ? checkAgentConfig(parsed.value) : { config: null, problems: [parsed.problem] };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? '';
    if (code === 'ENOENT') return { config: AgentConfig.parse({}), problems: [] };
    if (code === 'ENOTDIR') return { config: null, problems: [] };
    return {
      config: null,
      problems: [{ path: '', message: readTrouble(error), cure: 'make it a readable JSON file' }],
    };
  }
}
