// How pieces of a request are shown in a message: short, quoted, and harmless on a terminal.

const SHOWN = 100;
// Control characters, line separators, and marks that reverse the direction of writing.
const UNSHOWABLE = /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]|\p{Surrogate}/gu;
const PLAIN_KEY = /^[A-Za-z_][A-Za-z0-9_-]*$/;

export function quote(text: string): string {
  return `"${showable(shorten(text)).replaceAll('"', '\\"')}"`;
}

// agents[0].task.inputs.code; a key that is no plain word stands in brackets: inputs["a b"].
export function toPath(keys: readonly PropertyKey[]): string {
  return keys
    .map(key => {
      if (typeof key === 'number') return `[${key}]`;
      return PLAIN_KEY.test(String(key)) ? `.${String(key)}` : `[${quote(String(key))}]`;
    })
    .join('')
    .replace(/^\./, '');
}

export function listOf(words: readonly string[], last: 'or' | 'and'): string {
  if (words.length < 2) return words.join('');
  return `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1)}`;
}

function shorten(text: string): string {
  return text.length <= SHOWN ? text : `${text.slice(0, 60)} … ${text.slice(-30)}`;
}

function showable(text: string): string {
  return text.replace(UNSHOWABLE, char => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
