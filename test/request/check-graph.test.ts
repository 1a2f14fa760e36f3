// What agents say about each other: names, dependencies, cycles, variables.

import { expect, test } from 'vitest';
import { ExecutionRequest } from '../../src/protocol/request.ts';
import { checkGraph, variableName } from '../../src/request/check-graph.ts';
import { agent, type LooseAgent, smallRequest } from './small-request.ts';

const told = (...agents: LooseAgent[]) =>
  checkGraph(ExecutionRequest.parse(smallRequest(...agents))).map(
    ({ path, message, cure }) => `${path} | ${message} | ${cure}`,
  );

const needs = (name: string, ...others: string[]) => agent(name, { needs: others });

test.each<[string, LooseAgent[]]>([
  [
    'agents[1].agent_name | two agents are called "a": agents[0] and this one | choose another name, e.g. "a-2"',
    [needs('a'), needs('a')],
  ],
  [
    'agents[1].agent_name | "Build" and "build" (agents[0]) differ only in capital letters | choose another name, e.g. "Build-2"',
    [needs('build'), needs('Build')],
  ],
  [
    'agents[0].dependencies[0] | "a" depends on "zebra", but no agent is called so | write "builder", or remove it',
    [needs('a', 'zebra'), needs('builder')],
  ],
  [
    'agents[0].dependencies[0] | "a" depends on "bulider", but no agent is called so; did you mean "builder"? | write "builder", or remove it',
    [needs('a', 'bulider'), needs('builder')],
  ],
  ['agents[0].dependencies[0] | "a" depends on "", but no agent is called so | remove it', [needs('a', '')]],
  ['agents[0].dependencies[0] | "a" depends on itself | remove it from its dependencies', [needs('a', 'a')]],
  [
    'agents[0].dependencies[1] | "b" stands twice in the dependencies of "a" | remove one of the two',
    [needs('a', 'b', 'b'), needs('b')],
  ],
  [
    'agents[0].dependencies | agents wait for each other in a circle: "a" needs "b", "b" needs "c" and "c" needs "a" | remove one of these dependencies',
    [needs('a', 'b'), needs('b', 'c'), needs('c', 'a')],
  ],
  [
    'agents[1].dependencies | agents wait for each other in a circle: "b" needs "c" and "c" needs "b" | remove one of these dependencies',
    [needs('a', 'b'), needs('b', 'c'), needs('c', 'b')],
  ],
  [
    'agents[0].task.inputs["a.b"] | "a-b" and "a.b" would both be given to the agent as BATON_INPUT_A_B | rename one of the two',
    [agent('a', { inputs: { 'a-b': 'x', 'a.b': 'y' } })],
  ],
  [
    'agents[0].task.outputs.Code | "code" and "Code" would both be given to the agent as BATON_OUTPUT_CODE | rename one of the two',
    [agent('a', { outputs: { code: 'x', Code: 'y' } })],
  ],
])('%s', (expected, agents) => {
  expect(told(...agents)).toEqual([expected]);
});

test('an input and an output of one name do not collide', () => {
  expect(told(agent('a', { inputs: { code: 'x' }, outputs: { code: 'y' } }))).toEqual([]);
});

test('two cycles are both named', () => {
  const found = told(needs('a', 'b'), needs('b', 'a'), needs('c', 'd'), needs('d', 'c'));
  expect(found.map(line => line.split(' | ')[0])).toEqual(['agents[0].dependencies', 'agents[2].dependencies']);
});

test('a variable is the name in capitals, with _ for what a variable cannot hold', () => {
  expect(variableName('INPUT', 'api-spec.v2')).toBe('BATON_INPUT_API_SPEC_V2');
  expect(variableName('OUTPUT', 'a_b')).toBe('BATON_OUTPUT_A_B');
});
