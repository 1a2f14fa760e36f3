// The user's own status line command, if one is configured: ours takes its place in our panes and runs it after
// itself. Read only; whatever cannot be read counts as none.

import { readFile } from 'node:fs/promises';
import path from 'node:path';

type Variables = Readonly<Record<string, string | undefined>>;

export async function userStatusLine(env: Variables): Promise<string | null> {
  const folder = env.CLAUDE_CONFIG_DIR || path.join(env.HOME ?? '', '.claude');
  try {
    const settings = JSON.parse(await readFile(path.join(folder, 'settings.json'), 'utf8'));
    const line = settings?.statusLine;
    return line?.type === 'command' && typeof line.command === 'string' && line.command !== '' ? line.command : null;
  } catch {
    return null;
  }
}
