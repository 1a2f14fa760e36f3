// An argv as a line that can be pasted into a shell.

const SAFE = /^[A-Za-z0-9_./:@%+,-]+$/; // no "=": zsh expands a word that begins with it

export function shellText(argv: readonly string[]): string {
  return argv.map(word => (SAFE.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)).join(' ');
}
