import { expect, test } from 'vitest';
import { commands } from '../../src/cli/commands.ts';
import { parseCommand } from '../../src/cli/parse-command.ts';
import { Fault } from '../../src/protocol/fault.ts';

const parse = (line: string) => parseCommand(line.split(' ').filter(Boolean), commands);

function faultOf(line: string): Fault {
  try {
    parse(line);
  } catch (error) {
    if (error instanceof Fault) return error;
  }
  throw new Error(`"${line}" was accepted`);
}

test.each([
  ['rnu', 'run'],
  ['stauts', 'status'],
  ['comp', 'completion'],
  ['--hlep', '--help'],
  ['run --ouput x', '--output'],
  ['validate --allow-rot x', '--allow-root'],
  ['list --jsn', '--json'],
])('%s is refused with the nearest name %s', (line, near) => {
  const fault = faultOf(line);
  expect(fault.code).toBe('invalid');
  expect(fault.cure).toContain(`did you mean "${near}"?`);
});

test('a name that is like nothing gets no guess', () => {
  expect(faultOf('xyzzyplugh').cure).toBe('`baton --help` lists all commands');
});

test.each([
  ['logs', '"baton logs" needs <agent>'],
  ['retry exec', '"baton retry" needs <agent>'],
  ['doctor now', '"baton doctor" does not take "now"'],
  ['run -o', 'the option "--output" needs a value: FILE'],
  ['run --output --json', 'the option "--output" needs a value: FILE'],
  ['run --json=yes', 'the option "--json" takes no value'],
])('%s is refused: %s', (line, message) => {
  expect(faultOf(line).message).toBe(message);
});

test('options and names may stand in any order, and repeat where they may', () => {
  const wanted = parse('run --allow-root a request.json --json --allow-root=b -o out.json');
  expect(wanted).toMatchObject({
    kind: 'run',
    args: ['request.json'],
    values: { 'allow-root': ['a', 'b'], json: true, output: 'out.json' },
  });
});

test('nothing at all, help and --version are understood everywhere', () => {
  expect(parse('')).toEqual({ kind: 'help', command: null });
  expect(parse('--version')).toEqual({ kind: 'version' });
  expect(parse('help run')).toMatchObject({ kind: 'help', command: { name: 'run' } });
  expect(parse('retry --help')).toMatchObject({ kind: 'help', command: { name: 'retry' } });
  expect(parse('logs -- --help')).toMatchObject({ kind: 'run', args: ['--help'] });
});
