// A new agent folder: agent.json and AGENT.md to begin with. What is there already is never touched.

import { lstat, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { writeFileAtomic, writeJson } from '../files/write-file.ts';

export type Provider = 'claude' | 'claude-headless' | 'command';
export const providers = ['claude', 'claude-headless', 'command'] as const;

const WORK = `set -eu
# The task is in "$BATON_TASK_FILE"; outputs go to "$BATON_OUTPUT_<NAME>".
echo "working as $BATON_AGENT"
echo "made by $BATON_AGENT" >"$BATON_OUTPUT_RESULT"
printf '{"status": "success", "summary": "Done."}\\n' >"$BATON_RESULT_FILE"
`;

export async function makeAgent(
  folder: string,
  name: string,
  o: { provider: Provider; role: string },
): Promise<boolean> {
  const isThere = await lstat(folder).then(
    () => true,
    () => false,
  );
  if (isThere) return false;
  await mkdir(folder, { recursive: true });
  const config =
    o.provider === 'command' ? { provider: 'command', command: ['sh', 'work.sh'] } : { provider: o.provider };
  await writeJson(path.join(folder, 'agent.json'), config);
  await writeFileAtomic(path.join(folder, 'AGENT.md'), `# ${name}\n\n${o.role}\n`);
  if (o.provider === 'command') await writeFileAtomic(path.join(folder, 'work.sh'), WORK);
  return true;
}
