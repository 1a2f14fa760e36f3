// How this terminal or desktop is told something, and with which bytes or arguments. Pure. Expects texts without
// control characters, and takes what the way itself would obey out of them.

export type DesktopWay = 'osc9' | 'osc777' | 'notify-send' | 'osascript' | null;
export type Surroundings = {
  env: Readonly<Record<string, string | undefined>>;
  platform: string;
  isTerminal: boolean;
  has: (program: string) => boolean;
};

const ESC = '\u001b';
const BEL = '\u0007';

// A terminal inside of tmux is not reached by these: tmux drops them. It does pass on the bell.
export function desktopWay({ env, platform, isTerminal, has }: Surroundings): DesktopWay {
  const isDirect = isTerminal && !env.TMUX && !env.STY;
  const program = env.TERM_PROGRAM ?? '';
  if (isDirect && /^(iTerm\.app|WarpTerminal)$/.test(program)) return 'osc9';
  if (isDirect && env.WT_SESSION) return 'osc9';
  if (isDirect && (/^(WezTerm|ghostty)$/i.test(program) || /^(foot|rxvt-unicode|xterm-ghostty)/.test(env.TERM ?? '')))
    return 'osc777';
  if (isDirect && /^xterm-kitty/.test(env.TERM ?? '')) return 'osc9';
  if (platform === 'darwin') return has('osascript') ? 'osascript' : null;
  return (env.DISPLAY || env.WAYLAND_DISPLAY) && has('notify-send') ? 'notify-send' : null;
}

export const bell = BEL;
// The title of before is put onto the terminal's own pile first, and taken back at the end.
export const setTitle = (title: string): string => `${ESC}[22;2t${ESC}]2;${title}${BEL}`;
export const oldTitle = `${ESC}[23;2t`;

export function oscBytes(way: 'osc9' | 'osc777', title: string, body: string): string {
  const plain = (text: string) => text.replaceAll(';', ',');
  // Windows Terminal takes "9;4;…" for a progress bar: the text never begins with a figure.
  return way === 'osc9'
    ? `${ESC}]9;baton: ${plain(title)}: ${plain(body)}${BEL}`
    : `${ESC}]777;notify;baton: ${plain(title)};${plain(body)}${BEL}`;
}

export function desktopCommand(way: 'notify-send' | 'osascript', title: string, body: string): string[] {
  if (way === 'osascript') {
    const script = 'display notification (item 2 of argv) with title (item 1 of argv)';
    return ['osascript', '-e', 'on run argv', '-e', script, '-e', 'end run', `baton: ${title}`, body];
  }
  // Many servers read the body as markup.
  const markup = body.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return ['notify-send', '--app-name=baton', '--', `baton: ${title}`, markup];
}
