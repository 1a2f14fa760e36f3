// One baton.json: its content, null when there is none, or a Fault with all its problems.

import { NotRegular, readRegular } from '../files/read-file.ts';
import { checkTogether, mergeSettings } from '../handoff/settings.ts';
import type { BatonConfig } from '../protocol/config.ts';
import { Fault } from '../protocol/fault.ts';
import type { Problem } from '../protocol/request.ts';
import { checkBatonConfig } from '../request/check-shape.ts';
import { parseJson } from '../request/parse-json.ts';

const MAX_BYTES = 1024 * 1024;

export async function readConfig(file: string): Promise<BatonConfig | null> {
  const bytes = await readBytes(file);
  if (bytes === null) return null;
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw refusal(file, [{ path: '', message: 'the file is not valid UTF-8', cure: 'save it as UTF-8' }]);
  }
  const parsed = parseJson(text);
  if (!parsed.ok) throw refusal(file, [parsed.problem]);
  const { config, problems } = checkBatonConfig(parsed.value);
  if (config === null) throw refusal(file, problems);
  const together = problemsTogether(file, config);
  if (together.length > 0) throw refusal(file, together);
  return config;
}

// What one agent's part makes wrong is told where that part stands; what is wrong without it, only once.
function problemsTogether(path: string, config: BatonConfig): Problem[] {
  const inForce = (agent: string | null) =>
    checkTogether(mergeSettings({ file: { path, config }, environment: {}, flags: {} }, agent));
  const general = inForce(null);
  const known = new Set(general.map(problem => problem.message));
  const ofAgents = Object.keys(config.agents ?? {}).flatMap(agent =>
    inForce(agent)
      .filter(problem => !known.has(problem.message))
      .map(problem => ({ ...problem, path: `agents.${agent}.${problem.path}` })),
  );
  return [...general, ...ofAgents];
}

async function readBytes(file: string): Promise<Buffer | null> {
  try {
    return await readRegular(file, { max: MAX_BYTES });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    const why = error instanceof NotRegular ? 'is not a regular file' : `cannot be read: ${(error as Error).message}`;
    throw new Fault('invalid', `"${file}" ${why}`, 'make it a readable JSON file, or remove it', { cause: error });
  }
}

export function refusal(file: string, problems: Problem[]): Fault {
  const many = problems.length === 1 ? 'a problem' : `${problems.length} problems`;
  return new Fault(
    'invalid',
    `"${file}" has ${many}`,
    'correct what is listed; `baton config` shows what is in force',
    {
      problems,
    },
  );
}
