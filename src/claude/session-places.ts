// Where the files of one Claude Code session lie, below the workspace of its execution. Pure text.

export type SessionPlaces = ReturnType<typeof sessionPlaces>;

export function sessionPlaces(workspace: string, agent: string, attempt: number) {
  const folder = `${workspace}/.baton/claude/${agent}.${attempt}`;
  return {
    folder,
    settings: `${folder}/settings.json`,
    systemPrompt: `${folder}/system-prompt.md`,
    rules: `${folder}/permission-rules.json`,
    receipts: `${folder}/receipts.ndjson`,
    record: `${folder}/status-record.json`,
    blockCompact: `${folder}/block-compact`,
    order: `${folder}/order`, // of the watchdog, for the hooks to hand out
    costs: `${folder}/costs.json`, // of all its sessions
    cap: `${folder}/handoff-cap`, // why the watchdog hands it off no more; there as long as that holds
    progress: `${folder}/rendered.json`, // how far the transcript was written into stdout.log
    screens: `${folder}/screens`, // kept when something stood in the way
    headless: `${folder}/headless.json`, // what run-headless is started with
    stream: `${folder}/stream.ndjson`, // of claude-headless, as it came
    chain: `${folder}/chain.json`, // the combined result of its sessions
    launchMark: (launch: number) => `${folder}/launch-${launch}`,
    transcripts: `${workspace}/transcripts/${agent}`,
  };
}
