// `baton validate`: is this request (or this .ctxp file) good? Touches nothing.

import path from 'node:path';
import { exitCodes, Fault } from '../../protocol/fault.ts';
import type { Problem } from '../../protocol/request.ts';
import type { CommandInput } from '../command-spec.ts';
import { jsonText } from '../json-text.ts';
import { allowRoots, requestFile } from '../request-source.ts';

export async function run(input: CommandInput): Promise<number> {
  const pack = input.text('ctxpack');
  try {
    const summary = pack === undefined ? await checkRequest(input) : await checkPack(path.resolve(pack));
    input.say(input.flag('json') ? jsonText({ ok: true, problems: [] }) : `ok: ${summary}`);
    return exitCodes.success;
  } catch (error) {
    if (!(error instanceof Fault) || error.code !== 'invalid' || !input.flag('json')) throw error;
    const whole: Problem = { path: '', message: error.message, cure: error.cure };
    const problems = error.problems.length > 0 ? error.problems : [whole];
    input.say(jsonText({ ok: false, problems }));
    return exitCodes.invalid;
  }
}

async function checkRequest(input: CommandInput): Promise<string> {
  const file = requestFile(input);
  const { providerNames } = await import('../../engine/provider.ts');
  const { loadRequest } = await import('../../request/load-request.ts');
  const { longestChain } = await import('../longest-chain.ts');
  const { request } = await loadRequest({ file }, { allowRoots: allowRoots(input), providers: providerNames });
  const count = request.agents.length;
  return `${count} ${count === 1 ? 'agent' : 'agents'}, longest chain ${longestChain(request.agents)}`;
}

async function checkPack(file: string): Promise<string> {
  const { checkCtxPackFile } = await import('../check-ctxpack-file.ts');
  const { nodes, edges, findings } = await checkCtxPackFile(file);
  if (findings.some(finding => finding.severity === 'error')) {
    const problems = findings.map(({ source, message }) => ({ path: source ?? file, message, cure: '' }));
    throw new Fault('invalid', `"${file}" is not a good ctxpack`, 'docs/ctxpack.md describes the format', { problems });
  }
  return `${nodes} nodes, ${edges} edges${findings.length > 0 ? `, ${findings.length} warnings` : ''}`;
}
