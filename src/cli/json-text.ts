// A value as JSON for stdout. Characters that a terminal may obey or that hide text are written as
// \uXXXX: the same to every parser, harmless to a person who looks.

const UNSHOWABLE = /[\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

export function jsonText(value: unknown, indent = 2): string {
  const toEscape = (char: string) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(value, null, indent).replace(UNSHOWABLE, toEscape);
}
