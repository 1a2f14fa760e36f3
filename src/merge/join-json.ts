// Unites JSON objects that disagree in no key. Pure. Whatever could be changed by reading and writing it
// again (numbers beyond a double, "__proto__", repeated keys) is left to a person.

import { findDanger } from './find-danger.ts';

type Json = { [key: string]: unknown };

// null: these texts cannot be united without choosing.
export function joinJson(texts: string[]): string | null {
  const objects = texts.map(parseFaithfully);
  let joined: Json | null = {};
  for (const object of objects) {
    joined = object && joined ? joinObjects(joined, object) : null;
    if (!joined) return null;
  }
  return `${JSON.stringify(joined, null, 2)}\n`;
}

function parseFaithfully(text: string): Json | null {
  try {
    const value: unknown = JSON.parse(text);
    if (!isObject(value) || findDanger(value)) return null;
    // Same characters but for blank space and escapes: nothing was rounded, and no repeated key fell away.
    return normal(text) === normal(JSON.stringify(value)) ? value : null;
  } catch {
    return null; // not JSON, so this rule has nothing to say
  }
}

// Blank space outside strings goes; strings are read and written again, so that escapes are spelled alike.
function normal(text: string): string {
  return text.replace(/"(?:[^"\\]|\\.)*"|\s+/g, part => (part.startsWith('"') ? JSON.stringify(JSON.parse(part)) : ''));
}

function joinObjects(one: Json, other: Json): Json | null {
  const joined: Json = { ...one };
  for (const [key, value] of Object.entries(other)) {
    if (!Object.hasOwn(joined, key)) joined[key] = value;
    else if (isObject(joined[key]) && isObject(value)) {
      const inner = joinObjects(joined[key], value);
      if (!inner) return null;
      joined[key] = inner;
    } else if (JSON.stringify(joined[key]) !== JSON.stringify(value)) return null;
  }
  return joined;
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
