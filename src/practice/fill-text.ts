// Placeholders in a practice script: {{name}}, or {{json:name}} for a value inside of JSON text. Pure.

import { Fault } from '../protocol/fault.ts';

export type Values = Readonly<Record<string, string | number>>;

const PLACEHOLDER = /\{\{(json:)?([A-Za-z0-9_]+)\}\}/g;

export function fillText(text: string, values: Values): string {
  return text.replaceAll(PLACEHOLDER, (_, json: string | undefined, name: string) => {
    const value = values[name];
    if (value === undefined) {
      const known = Object.keys(values).join(', ');
      throw new Fault(
        'invalid',
        `the practice script uses {{${name}}}, which has no value here`,
        `use one of: ${known}`,
      );
    }
    return json === undefined ? String(value) : JSON.stringify(value);
  });
}

export function fillNumber(amount: number | string, values: Values): number {
  if (typeof amount === 'number') return amount;
  const text = fillText(amount, values);
  const number = Number(text.replaceAll(/[\s_]/g, ''));
  if (text.trim() !== '' && Number.isFinite(number) && number >= 0) return number;
  throw new Fault(
    'invalid',
    `the practice script needs a number, and "${amount}" became "${text}"`,
    'correct the rule',
  );
}

export function fillJson(value: unknown, values: Values): unknown {
  if (typeof value === 'string') return fillText(value, values);
  if (Array.isArray(value)) return value.map(part => fillJson(part, values));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, fillJson(part, values)]));
}

// A group that took no part in the match is an empty text, not a missing value.
export function groupsOf(match: RegExpMatchArray): Record<string, string> {
  const numbered = Object.fromEntries(match.map((group, index) => [String(index), group ?? '']));
  const named = Object.entries(match.groups ?? {}).map(([name, group]) => [name, group ?? '']);
  return { ...numbered, ...Object.fromEntries(named) };
}
