// Requests on a real disk: what is taken, what is refused, and that nothing there changes.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, symlinkSync, truncateSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Fault } from '../../src/protocol/fault.ts';
import { loadRequest, type RequestSource } from '../../src/request/load-request.ts';
import { MAX_REQUEST_BYTES } from '../../src/request/parse-json.ts';
import { fingerprint, ownFolder, put } from './own-folder.ts';
import { agent, smallRequest } from './small-request.ts';

let folder: string;
const options = { allowRoots: [] as string[], providers: ['command'] };

beforeAll(() => {
  folder = ownFolder();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function refused(source: RequestSource, more: Partial<typeof options> = {}): Promise<string[]> {
  const before = fingerprint(folder);
  const fault = await loadRequest(source, { ...options, ...more }).then(
    () => null,
    error => error,
  );
  expect(fingerprint(folder)).toBe(before);
  if (fault === null) return [];
  expect(fault).toBeInstanceOf(Fault);
  expect(fault.code).toBe('invalid');
  expect(fault.problems.length).toBeGreaterThan(0);
  return fault.problems.map((problem: { path: string; message: string }) => `${problem.path} | ${problem.message}`);
}

const inWorkspace = (value: unknown): RequestSource => ({ value, folder: path.join(folder, 'ws') });

test('a good request is loaded with absolute paths, the hash of its bytes and its roots', async () => {
  put(folder, 'ws/in.md', 'read me');
  const text = `\ufeff${JSON.stringify({ ...smallRequest(agent('a', { inputs: { in: 'in.md' }, outputs: { out: 'outputs/x' } })) }, null, 2)}`;
  const file = put(folder, 'ws/execution_request.json', text);
  const loaded = await loadRequest({ file }, { ...options, allowRoots: [path.join(folder, 'extra')] });
  const ws = path.join(folder, 'ws');
  expect(loaded).toMatchObject({ file, workspace: ws, roots: [ws, path.join(folder, 'extra')] });
  expect(loaded.sha256).toBe(createHash('sha256').update(readFileSync(file)).digest('hex'));
  expect(loaded.agents[0]).toMatchObject({
    agentPath: path.join(ws, 'agent'),
    config: { provider: 'command', command: ['true'], env: [], checks: {} },
    inputs: { in: path.join(ws, 'in.md') },
    outputs: { out: path.join(ws, 'outputs/x') },
  });
});

test('a value is hashed as JSON.stringify writes it', async () => {
  const value = smallRequest();
  const { sha256, file } = await loadRequest(inWorkspace(value), options);
  expect({ sha256, file }).toEqual({
    sha256: createHash('sha256').update(JSON.stringify(value)).digest('hex'),
    file: null,
  });
});

test('a workspace that does not exist is fine, even its parents', async () => {
  const value = {
    ...smallRequest(agent('a', { path: path.join(folder, 'ws/agent'), outputs: { o: 'x' } })),
    workspace_root: 'new/deep/ws',
  };
  const { workspace, agents } = await loadRequest({ value, folder }, options);
  expect(workspace).toBe(path.join(folder, 'new/deep/ws'));
  expect(agents[0]?.outputs.o).toBe(path.join(folder, 'new/deep/ws/x'));
});

test('a workspace behind a symlink is the real one', async () => {
  symlinkSync(path.join(folder, 'ws'), path.join(folder, 'link'));
  const value = {
    ...smallRequest(agent('a', { outputs: { o: path.join(folder, 'link/out/o') } })),
    workspace_root: 'link',
  };
  expect((await loadRequest({ value, folder }, options)).workspace).toBe(path.join(folder, 'ws'));
});

test.each([
  ['missing.json', 'does not exist'],
  ['ws', 'is a folder, not a file'],
  ['ws/in.md/x', 'lies below something that is no folder'],
  ['pipe', 'is a special file, not a file'],
])('the file %s is refused: %s', async (name, message) => {
  if (name === 'pipe') execFileSync('mkfifo', [path.join(folder, name)]);
  put(folder, 'ws/in.md', 'read me');
  const file = path.join(folder, name);
  expect(await refused({ file })).toEqual([` | "${file}" ${message}`]);
});

test('a file of more than 5 MB is not even read', async () => {
  const file = put(folder, 'giant.json', '');
  truncateSync(file, MAX_REQUEST_BYTES + 1);
  expect(await refused({ file })).toEqual([' | larger than 5 MB']);
});

test('a giant is called a giant, even where the cut goes through a character', async () => {
  const file = put(folder, 'euros.json', `a${'€'.repeat(MAX_REQUEST_BYTES / 2)}`);
  expect(await refused({ file })).toEqual([' | larger than 5 MB']);
  rmSync(file);
});

test('where a name cannot be read, a dependency nobody has may mean that one', async () => {
  const { agent_name: _, ...nameless } = agent('lost');
  const value = smallRequest({ ...nameless, agent_nam: 'lost' } as never, agent('b', { needs: ['lost'] }));
  const paths = (await refused(inWorkspace(value))).map(line => line.split(' | ')[0]);
  expect(paths).toEqual(['agents[0].agent_name', 'agents[0].agent_nam']);
});

test('a file that is not UTF-8 is refused', async () => {
  const file = put(folder, 'latin.json', '');
  execFileSync('sh', ['-c', 'printf "{\\"a\\": \\"\\344\\"}" > "$0"', file]);
  expect(await refused({ file })).toEqual([' | the file is not valid UTF-8']);
});

test('values that are no JSON are refused', async () => {
  const circle: Record<string, unknown> = {};
  circle.self = circle;
  for (const value of [undefined, circle, 10n, () => 1]) {
    expect(await refused(inWorkspace(value))).toEqual([' | the request cannot be written as JSON']);
  }
});

test('a wrong shape in one agent does not hide what is wrong with others, and accuses nobody falsely', async () => {
  const good = agent('made', { outputs: { o: 'outputs/o' } });
  const { dependencies: _, ...mistyped } = agent('typo', { inputs: { o: 'outputs/o' } });
  const value = smallRequest(
    good,
    { ...mistyped, dependancies: ['made'] } as never,
    agent('x', { needs: ['y'] }),
    agent('y', { needs: ['x', 'my agent'] }),
    {
      ...agent('my agent'),
      agent_path: 5,
    } as never,
    agent('z', { inputs: { i: 'nowhere' } }),
  );
  expect(await refused(inWorkspace(value))).toEqual([
    expect.stringMatching(/^agents\[1\]\.dependancies \| unknown key/),
    expect.stringMatching(/^agents\[4\]\.agent_name \| /),
    expect.stringMatching(/^agents\[4\]\.agent_path \| "agent_path" must be a text/),
    expect.stringMatching(/^agents\[2\]\.dependencies \| agents wait for each other in a circle/),
    expect.stringMatching(/^agents\[5\]\.task\.inputs\.i \| .* does not exist/),
  ]);
});

test('the own example of the seed is taken with --allow-root, and refused without it', async () => {
  const root = path.join(folder, 'orchestration');
  const fixture = readFileSync(new URL('./seed-request.json', import.meta.url), 'utf8');
  const text = fixture.replaceAll('/tmp/orchestration', root).replaceAll('/Users/.../llm-playground', root);
  for (const name of ['code-generator', 'code-reviewer'])
    put(root, `agent/${name}/agent.json`, '{"provider": "command", "command": ["true"]}');
  put(root, 'requirements/auth-spec.md', '# auth');
  mkdirSync(path.join(root, 'codebase'));
  const file = put(root, 'request.json', text);
  const loaded = await loadRequest({ file }, { ...options, allowRoots: [root] });
  expect(loaded.agents.map(one => one.request.agent_name)).toEqual(['code-generator', 'code-reviewer']);
  const paths = (await refused({ file })).map(line => line.split(' | ')[0]);
  expect(paths).toEqual(
    ['code', 'tests', 'ctxpack']
      .map(slot => `agents[0].task.outputs.${slot}`)
      .concat(['review', 'ctxpack'].map(slot => `agents[1].task.outputs.${slot}`)),
  );
});

test('more problems than anybody reads are counted, not listed', async () => {
  const value = {
    ...smallRequest(),
    ...Object.fromEntries(Array.from({ length: 2000 }, (_, index) => [`k${index}`, 1])),
  };
  const problems = await refused(inWorkspace(value));
  expect(problems).toHaveLength(501);
  expect(problems.at(-1)).toBe(' | 1500 more problems are not shown');
});
