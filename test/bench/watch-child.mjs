// The watchers of many panes, as the watchdog has them, in a process of their own so that their CPU can be read.
// Prints "<pane> <ms>" the moment two readings agree that a pane is due; its cost cap refuses the leave to begin, so
// that nothing is typed and the next session of the pane can be measured too.

import { readFileSync } from 'node:fs';
import path from 'node:path';

const [root, state, list] = process.argv.slice(2);
const { watchPane } = await import(path.join(root, 'dist', 'watchdog', 'watch-pane.js'));
const stop = new AbortController();
process.on('SIGTERM', () => stop.abort());

for (const { key, socket, pane, pid, folder, channel } of JSON.parse(readFileSync(list, 'utf8'))) {
  watchPane(
    {
      key,
      identity: { socket, pane, pid },
      name: pane,
      kind: 'adopted',
      role: 'agent',
      folder,
      channel,
      contract: null,
      workspace: null,
      cap: null,
      documentPath: null,
      task: null,
      agent: null,
      lacks: [],
      costs: path.join(state, 'none.json'),
      maxCostUsd: 0,
    },
    {
      state,
      signal: stop.signal,
      slots: { take: () => false, give() {} },
      tell() {},
      say: line => process.stderr.write(`${line}\n`),
      alert: async (_, text) => {
        if (text.includes('max_cost_usd'))
          process.stdout.write(`${pane} ${performance.timeOrigin + performance.now()}\n`);
      },
    },
  );
}
