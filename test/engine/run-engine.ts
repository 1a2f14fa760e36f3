// An engine in a process of its own, to be killed: run-engine.ts run REQUEST | watch FOLDER PANES

import { runRequest } from '../../src/engine/run-execution.ts';
import { watchRequests } from '../../src/engine/watch-requests.ts';

// A file over the limit of a test is an error of the write, as on a full disk, not the end of the process.
process.on('SIGXFSZ', () => {});

const [verb, target, panes] = process.argv.slice(2);
if (verb === 'run') await runRequest({ file: target! }, { allowRoots: [] });
else {
  const stop = new AbortController();
  process.once('SIGTERM', () => stop.abort());
  const say = (line: string) => console.log(line);
  await watchRequests(target!, { maxPanes: Number(panes), allowRoots: [], signal: stop.signal, say });
}
