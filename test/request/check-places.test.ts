// Where requests read and write, on a real disk. $F is the test's folder; the workspace is $F/ws.

import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AgentConfig } from '../../src/protocol/agent.ts';
import type { Fault } from '../../src/protocol/fault.ts';
import { ExecutionRequest } from '../../src/protocol/request.ts';
import { checkPlaces, type PathFacts, RESERVED } from '../../src/request/check-places.ts';
import { loadRequest } from '../../src/request/load-request.ts';
import { ownFolder, put } from './own-folder.ts';
import { agent, type LooseAgent, smallRequest } from './small-request.ts';

let folder: string;

beforeAll(() => {
  folder = ownFolder();
  const link = (target: string, name: string) => symlinkSync(target, path.join(folder, name));
  put(folder, 'ws/in.md', 'x');
  put(folder, 'ws/made/old', 'x');
  put(folder, 'ws/default/AGENT.md', 'no agent.json here');
  put(folder, 'ws/empty/agent.json', '{"provider": "command"}');
  put(folder, 'ws/broken/agent.json', '{"provider": "command",\n}');
  put(folder, 'ws/wrong/agent.json', '{"provider": "command", "comand": ["x"], "checks": {"t": {"command": []}}}');
  mkdirSync(path.join(folder, 'ws/strange/agent.json'), { recursive: true });
  mkdirSync(path.join(folder, 'out'));
  link('/etc', 'ws/etc');
  link('../out/new', 'ws/dangling');
  link('loop', 'ws/loop');
  link('made', 'ws/alias');
  execFileSync('mkfifo', [path.join(folder, 'ws/pipe')]);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function told(agents: LooseAgent[], workspace = 'ws', allowRoots: string[] = []): Promise<string[]> {
  const text = JSON.stringify({ ...smallRequest(...agents), workspace_root: workspace }).replaceAll('$F', folder);
  const source = { value: JSON.parse(text) as unknown, folder };
  const roots = allowRoots.map(root => root.replace('$F', folder));
  const fault: Fault | null = await loadRequest(source, { allowRoots: roots, providers: ['command'] }).then(
    () => null,
    error => error,
  );
  return (fault?.problems ?? []).map(({ path: at, message, cure }) =>
    `${at} | ${message} | ${cure}`.replaceAll(folder, '$F'),
  );
}

const reads = (name: string, file: string, ...needs: string[]) => agent(name, { inputs: { i: file }, needs });
const writes = (name: string, file: string, ...needs: string[]) => agent(name, { outputs: { o: file }, needs });
const at = (file: string) => agent('a', { path: file });
const choose = '| choose a path of its own, e.g. "outputs/a/o"';
const gone =
  'does not exist, and no agent promises it as an output | create it or correct the path; a relative one starts at workspace_root';
const command = '"provider": "command" and "command": ["./run.sh"]';

test.each<[string, LooseAgent[]]>([
  ['an input that exists', [reads('a', 'in.md')]],
  ['an input anywhere on the disk', [reads('a', '/etc/passwd')]],
  ['an input through a symlink', [reads('a', 'etc/passwd')]],
  ['an input that a dependency promises', [writes('a', 'o/x'), reads('b', 'o/x', 'a')]],
  ['an input inside what a dependency promises', [writes('a', 'o'), reads('b', 'o/deep/x', 'a')]],
  ['an input around what a dependency promises', [writes('a', 'o/deep/x'), reads('b', 'o', 'a')]],
  [
    'an input promised by a dependency of a dependency',
    [writes('a', 'o/x'), agent('b', { needs: ['a'] }), reads('c', 'o/x', 'b')],
  ],
  ['an input promised under another name of the same folder', [writes('a', 'made/x'), reads('b', 'alias/x', 'a')]],
  ['outputs beside each other', [writes('a', 'o/x'), writes('b', 'o/xy'), writes('c', 'o/y/x')]],
  ['agents that share a folder', [agent('a'), agent('b'), agent('c', { path: '$F/ws/agent' })]],
  ['a name of Baton deeper in the workspace', [writes('a', 'outputs/logs')]],
  ['an output that exists from an earlier run', [writes('a', 'made')]],
  ['an output in the folder the agent itself works in', [writes('a', 'work/a/x'), writes('b', 'work/b')]],
])('%s is fine', async (_, agents) => {
  expect(await told(agents)).toEqual([]);
});

test.each<[string, LooseAgent[]]>([
  [
    'agents[0].agent_path | the agent folder "$F/ws/nobody" does not exist | create it or correct the path; a relative one starts at workspace_root',
    [at('nobody')],
  ],
  ['agents[0].agent_path | "$F/ws/in.md" is no folder | name the folder that holds agent.json', [at('in.md')]],
  [
    'agents[0].agent_path | the agent folder "$F/ws/in.md/x" lies below something that is no folder | name a folder you can reach',
    [at('in.md/x')],
  ],
  [
    `agents[0].agent_path | the provider "claude" of this agent is not available yet; available: "command" | set ${command} in "$F/ws/default/agent.json"`,
    [at('default')],
  ],
  [
    `agents[0].agent_path | "$F/ws/empty/agent.json" has the provider "command", but no "command" | add what to run, e.g. ${command}`,
    [at('empty'), { ...at('empty'), agent_name: 'b' }],
  ],
  [
    'agents[0].agent_path | "$F/ws/broken/agent.json": line 1, column 23: a comma before "}" | remove the comma after the last item',
    [at('broken')],
  ],
  [
    'agents[0].agent_path | "$F/ws/strange/agent.json": is a folder, not a file | make it a readable JSON file',
    [at('strange')],
  ],
  [`agents[0].task.inputs.i | the input "i" ("$F/ws/no.md") ${gone}`, [reads('a', 'no.md')]],
  [
    'agents[0].task.inputs.i | the input "i" ("$F/ws/pipe") is neither a file nor a folder | name a file or a folder',
    [reads('a', 'pipe')],
  ],
  [
    'agents[1].task.inputs.i | the input "i" ("$F/ws/o/x") is promised by "a" as its output "o", but "b" does not depend on it | add "a" to the dependencies of "b"',
    [writes('a', 'o/x'), reads('b', 'o/x')],
  ],
  [
    'agents[1].task.inputs.i | the input "i" ("$F/ws/made/old") is promised by "a" as its output "o", but "b" does not depend on it | add "a" to the dependencies of "b"',
    [writes('a', 'made'), reads('b', 'made/old')],
  ],
  [
    'agents[0].task.inputs.i | the input "i" ("$F/ws/o/x") is promised by "b" as its output "o", but "b" runs only after "a" | turn the dependency round, or let "a" read another path',
    [reads('a', 'o/x'), writes('b', 'o/x', 'a')],
  ],
  [
    'agents[0].task.inputs.i | the input "i" ("$F/ws/made/old") is what the same agent writes as output "o"; old outputs are moved away before it starts | write the output to another path',
    [agent('a', { inputs: { i: 'made/old' }, outputs: { o: 'made' } })],
  ],
  [
    'agents[0].task.outputs.o | the output "o" ("/etc/x") is outside workspace_root "$F/ws" and of every allowed folder | write it inside workspace_root, or allow its folder with --allow-root "/etc"',
    [writes('a', '/etc/x')],
  ],
  [
    'agents[0].task.outputs.o | the output "o" ("$F/ws/etc/x", which leads to "/etc/x") is outside workspace_root "$F/ws" and of every allowed folder | write it inside workspace_root, or allow its folder with --allow-root "/etc"',
    [writes('a', 'etc/x')],
  ],
  [
    'agents[0].task.outputs.o | the output "o" ("$F/ws/dangling/x", which leads to "$F/out/new/x") is outside workspace_root "$F/ws" and of every allowed folder | write it inside workspace_root, or allow its folder with --allow-root "$F/out/new"',
    [writes('a', 'dangling/x')],
  ],
  [`agents[0].task.outputs.o | the output "o" ("$F/ws") is the workspace itself ${choose}`, [writes('a', '.')]],
  [`agents[0].task.outputs.o | the output "o" ("$F") contains the workspace ${choose}`, [writes('a', '$F')]],
  [
    `agents[0].task.outputs.o | the output "o" ("$F/ws/logs/x") is at "logs", which belongs to Baton ${choose}`,
    [writes('a', 'logs/x')],
  ],
  [
    `agents[0].task.outputs.o | the output "o" ("$F/ws/merged.12/x") is at "merged.12", which belongs to Baton ${choose}`,
    [writes('a', 'merged.12/x')],
  ],
  [
    `agents[0].task.outputs.o | the output "o" ("$F/ws/conflicts.1.json") is at "conflicts.1.json", which belongs to Baton ${choose}`,
    [writes('a', 'conflicts.1.json')],
  ],
  [
    `agents[0].task.outputs.o | the output "o" ("$F/ws/work") contains the folders the agents work in ${choose}`,
    [writes('a', 'work')],
  ],
  [
    `agents[0].task.outputs.o | the output "o" ("$F/ws/work/b") is the folder "b" works in ${choose}`,
    [writes('a', 'work/b'), agent('b')],
  ],
  [
    'agents[1].task.inputs.i | the input "i" ("$F/ws/o") does not exist yet; "a" promises "$F/ws/o/x" in it, but "b" does not depend on it | add "a" to the dependencies of "b"',
    [writes('a', 'o/x'), reads('b', 'o')],
  ],
  [`agents[0].task.inputs.i | the input "i" ("$F/ws/o") ${gone}`, [reads('a', 'o'), writes('b', 'o/x', 'a')]],
  [
    'agents[0].task.outputs.o | the output "o" ("$F/ws/pipe") exists and is neither a file nor a folder | choose another path, or remove it',
    [writes('a', 'pipe')],
  ],
  [
    'agents[0].task.outputs.o | the output "o" ("$F/ws/in.md/x") lies below something that is no folder | choose another path',
    [writes('a', 'in.md/x')],
  ],
  [
    'agents[0].task.outputs.o | the output "o" ("$F/ws/agent/x") is inside the agent folder of "a" ("$F/ws/agent") | choose a path outside the folders of the agents',
    [writes('a', 'agent/x')],
  ],
  [
    'agents[1].task.outputs.o | the output "o" ("$F/ws/o") is the same place as the output "o" of "a" | give one of the two agents another path',
    [writes('a', 'o'), writes('b', 'o/')],
  ],
  [
    'agents[1].task.outputs.o | the output "o" ("$F/ws/alias/x", which leads to "$F/ws/made/x") is the same place as the output "o" of "a" | give one of the two agents another path',
    [writes('a', 'made/x'), writes('b', 'alias/x')],
  ],
  [
    'agents[1].task.outputs.o | the output "o" ("$F/ws/o/x") is inside the output "o" of "a" ("$F/ws/o") | give one of the two agents another path',
    [writes('a', 'o'), writes('b', 'o/x', 'a')],
  ],
  [
    'agents[1].task.outputs.o | the output "o" ("$F/ws/o") contains the output "o" of "a" ("$F/ws/o/x") | give one of the two agents another path',
    [writes('a', 'o/x'), writes('b', 'o')],
  ],
  [
    'agents[0].task.outputs.p | the output "p" ("$F/ws/o/x") is inside the output "o" of the same agent ("$F/ws/o") | give each output a path of its own',
    [agent('a', { outputs: { o: 'o', p: 'o/x' } })],
  ],
])('%s', async (expected, agents) => {
  expect(await told(agents)).toEqual([expected]);
});

test('an output around an agent folder is refused', async () => {
  const [line] = await told([agent('a', { path: 'box/agent', outputs: { o: 'box' } })]).then(lines => lines.slice(-1));
  expect(line).toMatch(/contains the agent folder of "a"/);
});

test('agent.json tells all its problems', async () => {
  const lines = await told([at('wrong')]);
  expect(lines.map(line => line.split(' | ')[1])).toEqual([
    '"$F/ws/wrong/agent.json" at checks.t.command: "command" is empty',
    '"$F/ws/wrong/agent.json" at comand: unknown key "comand"; did you mean "command"?',
  ]);
});

test.each(RESERVED)('%s in the workspace is not for agents', async name => {
  expect(await told([writes('a', name)])).toEqual([expect.stringContaining('belongs to Baton')]);
});

test('an output that is the request, or holds it, is refused', async () => {
  for (const [output, isFine] of [
    ['q/request.json', false],
    ['q', false],
    ['q/other.json', true],
  ] as const) {
    const request = { ...smallRequest(writes('a', output)), workspace_root: path.join(folder, 'ws') };
    const file = put(folder, 'ws/q/request.json', JSON.stringify(request));
    const loading = loadRequest({ file }, { allowRoots: [], providers: ['command'] });
    if (isFine) await loading;
    else
      await expect(loading).rejects.toMatchObject({
        problems: [{ message: expect.stringContaining('would replace the request itself') }],
      });
  }
});

test('a symlink that runs in a circle is told for what it is', async () => {
  expect(await told([writes('a', 'loop/x'), reads('b', 'loop')])).toEqual([
    expect.stringMatching(/inputs\.i .*too many symlinks/),
    expect.stringMatching(/outputs\.o .*too many symlinks/),
  ]);
});

test('an allowed root is for what lies inside it, not for itself or its neighbours', async () => {
  expect(await told([writes('a', '$F/out/x')], 'ws', ['$F/out'])).toEqual([]);
  expect(await told([writes('a', 'dangling/x')], 'ws', ['$F/out'])).toEqual([]);
  expect(await told([writes('a', '$F/out')], 'ws', ['$F/out'])).toHaveLength(1);
  expect(await told([writes('a', '$F/outside')], 'ws', ['$F/out'])).toHaveLength(1);
  expect(await told([agent('a')], 'ws', ['$F/ws/in.md'])).toEqual([
    expect.stringMatching(/--allow-root .* is no folder/),
  ]);
});

test.each([
  ['/', 'workspace_root ("/") is the whole disk'],
  ['ws/in.md', 'workspace_root ("$F/ws/in.md") exists but is no folder'],
  ['ws/in.md/x', 'workspace_root ("$F/ws/in.md/x") lies below something that is no folder'],
])('the workspace %s is refused: %s', async (workspace, message) => {
  expect((await told([agent('a', { path: '$F/ws/agent' })], workspace)).map(line => line.split(' | ')[1])).toEqual([
    message,
  ]);
});

test('a symlink where Baton writes its own files must not lead outside', async () => {
  const place = path.join(folder, 'ws/logs');
  symlinkSync('/etc', place);
  expect(await told([agent('a')])).toEqual([
    'workspace_root | "logs" in the workspace is a symlink that leads outside, to "/etc" | remove that symlink; Baton writes there',
  ]);
  rmSync(place);
});

test('what may not be read is told, from facts alone', () => {
  const request = ExecutionRequest.parse({
    ...smallRequest(agent('a', { path: '/a', inputs: { i: '/i' } })),
    workspace_root: '/w',
  });
  const facts: PathFacts = new Map([
    ['/a', { real: '/a', kind: 'folder', readable: false }],
    ['/i', { real: '/i', kind: 'file', readable: false }],
  ]);
  const config = AgentConfig.parse({ provider: 'command', command: ['x'] });
  const agentConfigs = new Map([['/a', { config, problems: [] }]]);
  const world = {
    workspace: '/w',
    realWorkspace: '/w',
    roots: ['/w'],
    facts,
    agentConfigs,
    requestFile: null,
    providers: ['command'],
  };
  expect(checkPlaces(request, world).map(problem => problem.message)).toEqual([
    'the agent folder "/a" may not be read',
    'the input "i" ("/i") may not be read',
  ]);
});
