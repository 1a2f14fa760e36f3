// The part of a Claude Code settings file that makes a pane report: status line and receipt hooks. Pure.
// The environment they need (BATON_RECEIPTS, BATON_STATUS_RECORD, BATON_PANE …) is in docs/receipts.md.

import { type ReceiptEvent, receiptEvents } from '../protocol/receipt.ts';

type Hook = { type: 'command'; command: string; timeout: number };
type Matched = { matcher?: string; hooks: Hook[] };

export type SideChannelSettings = {
  statusLine: { type: 'command'; command: string; padding: number };
  hooks: Record<ReceiptEvent, Matched[]>;
};

// receipt.sh does not read payloads that may be huge, so the matcher tells it the tool's name.
const NAMED_TOOLS: Partial<Record<ReceiptEvent, string[]>> = {
  PostToolUse: [
    'Bash',
    'Read',
    'Write',
    'Edit',
    'MultiEdit',
    'NotebookEdit',
    'Glob',
    'Grep',
    'WebFetch',
    'Task',
    'Agent',
  ],
  PermissionRequest: ['Write', 'Edit', 'MultiEdit', 'NotebookEdit'],
};
// Claude Code gives up on a hook after this many seconds; ours take milliseconds.
const TIMEOUT_S = 10;

// `scripts` is the folder of receipt.sh and status-line.sh.
export function sideChannelSettings(scripts: string): SideChannelSettings {
  const hooks = receiptEvents.map(event => [event, matchedFor(scripts, event)]);
  return {
    statusLine: { type: 'command', command: sourced(`${scripts}/status-line.sh`, []), padding: 0 },
    hooks: Object.fromEntries(hooks),
  };
}

function matchedFor(scripts: string, event: ReceiptEvent): Matched[] {
  const hook = (...args: string[]): Hook[] => [
    { type: 'command', command: sourced(`${scripts}/receipt.sh`, [event, ...args]), timeout: TIMEOUT_S },
  ];
  const named = NAMED_TOOLS[event];
  if (named === undefined) return [{ hooks: hook() }];
  const others = { matcher: `^(?!(${named.join('|')})$)`, hooks: hook() };
  return [...named.map(tool => ({ matcher: tool, hooks: hook(tool) })), others];
}

// Claude Code starts a shell for the command anyway: sourcing saves the second one. Sourcing a missing file
// would end with 2, which blocks the agent, so a script that is gone counts as done.
function sourced(script: string, args: string[]): string {
  const file = `'${script.replaceAll("'", "'\\''")}'`;
  return `[ ! -r ${file} ] || { set -- ${args.join(' ')}; . ${file}; }`;
}
