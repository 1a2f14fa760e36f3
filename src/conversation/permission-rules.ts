// Does a rule of agent.json answer this permission prompt? Pure. When in doubt no rule fits, and a person is asked.
// Allowing is strict. Forbidding is a seat belt, not a wall: a program can always be reached under another name.

import path from 'node:path';

export type Rules = { allow: readonly string[]; deny: readonly string[] };
export type Asked = { tool: string; input: Readonly<Record<string, unknown>> };
export type Ruling = { answer: 'allow' | 'deny'; rule: string } | null;

export function ruleOn(asked: Asked, rules: Rules): Ruling {
  const subjects = subjectsOf(asked);
  // One forbidden part forbids the whole; every part must be allowed.
  const denied = rules.deny.find(rule => hiddenParts(asked, subjects).some(text => fits(rule, asked.tool, text)));
  if (denied !== undefined) return { answer: 'deny', rule: denied };
  // What is forbidden may be hidden in what a shell makes of this.
  if (isObscure(asked) && rules.deny.some(rule => rule.startsWith(`${asked.tool}(`))) return null;
  const allowing = subjects.map(subject =>
    rules.allow.find(rule => fits(rule, asked.tool, subject.text) && (subject.isPlain || !rule.includes('('))),
  );
  const first = allowing[0];
  return first !== undefined && allowing.every(rule => rule !== undefined) ? { answer: 'allow', rule: first } : null;
}

type Subject = { text: string; isPlain: boolean };

function subjectsOf({ tool, input }: Asked): Subject[] {
  const text = (name: string) => (typeof input[name] === 'string' ? (input[name] as string) : null);
  if (tool === 'Bash') return commandParts(text('command') ?? '');
  const file = text('file_path') ?? text('notebook_path');
  // "/allowed/../../etc/passwd" is "/etc/passwd".
  if (file !== null) return [{ text: path.posix.normalize(file), isPlain: true }];
  return [{ text: text('url') ?? JSON.stringify(input), isPlain: true }];
}

// `git add x && rm -rf y` is two commands. What a shell would expand or redirect is no plain command: only a
// rule for the whole tool can allow it.
function commandParts(command: string): Subject[] {
  const isPlain = !/[`<>\n\r]|\$\(|\$\{/.test(command);
  return command.split(/&&|\|\||[;|&]/).map(part => ({ text: part.trim(), isPlain }));
}

// Also the commands inside of others, on lines of their own, and behind variables set for them.
function hiddenParts({ tool, input }: Asked, subjects: readonly Subject[]): string[] {
  const whole = subjects.map(subject => subject.text);
  if (tool !== 'Bash' || typeof input.command !== 'string') return whole;
  const inner = input.command.split(/[;|&\n\r`(){}!]/).map(part => part.trim().replace(/^(\w+=\S*\s+)+/, ''));
  return [...whole, ...inner];
}

const isObscure = ({ tool, input }: Asked): boolean =>
  tool === 'Bash' && /[`$\\\n\r<>(){}]|''|""/.test(String(input.command ?? ''));

function fits(rule: string, tool: string, text: string): boolean {
  const match = /^([A-Za-z][A-Za-z0-9_-]*)(?:\((.*)\))?$/s.exec(rule);
  if (match === null || match[1] !== tool) return false;
  return match[2] === undefined || globOf(match[2]).test(text);
}

// "*" stands for anything. "Bash(npm test *)" also fits "npm test" alone, as people expect.
function globOf(pattern: string): RegExp {
  const escaped = pattern.replace(/:\*$/, ' *').replace(/[\\^$.+?()[\]{}|]/g, '\\$&');
  const tail = escaped.endsWith(' *')
    ? `${escaped.slice(0, -2).replaceAll('*', '.*')}( .*)?`
    : escaped.replaceAll('*', '.*');
  return new RegExp(`^${tail}$`, 's');
}
