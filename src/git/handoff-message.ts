// The words of a handoff commit: its trailers. Pure.

const KEY = 'Handoff-Id';
const WHY = 'Handoff-Kept-Because';

export function withTrailer(message: string, id: string): string {
  const text = message.trimEnd();
  return hasTrailer(text, id) ? `${text}\n` : `${appended(text, `${KEY}: ${id}`)}\n`;
}

// Kept with the commit, so that who finds it later can still say why it is not on the branch.
export function withReason(message: string, why: string): string {
  return `${appended(message.trimEnd(), `${WHY}: ${why}`)}\n`;
}

export function reasonIn(message: string): string | null {
  const line = lastParagraph(message).findLast(text => text.startsWith(`${WHY}: `));
  return line?.slice(WHY.length + 2) ?? null;
}

export function hasTrailer(message: string, id: string): boolean {
  return lastParagraph(message).some(line => isIdLine(line, id));
}

// The line that the document itself must carry.
export function holdsId(document: string, id: string): boolean {
  return document.split(/\r?\n/).some(line => isIdLine(line, id));
}

function isIdLine(line: string, id: string): boolean {
  const [key, ...rest] = line.split(':');
  return key?.trim().toLowerCase() === KEY.toLowerCase() && rest.join(':').trim() === id;
}

function appended(text: string, trailer: string): string {
  const last = lastParagraph(text);
  const isBlock = text.includes('\n\n') && last.every(line => /^[A-Za-z0-9-]+: \S/.test(line));
  return `${text}${isBlock ? '\n' : '\n\n'}${trailer}`;
}

function lastParagraph(text: string): string[] {
  return (
    text
      .trimEnd()
      .split(/\n\s*\n/)
      .at(-1) ?? ''
  ).split('\n');
}
