// Where everything of one execution lies below its workspace. Pure text; the layout is the protocol's.

export type Places = ReturnType<typeof placesIn>;

export function placesIn(workspace: string) {
  const at = (name: string) => `${workspace}/${name}`;
  return {
    workspace,
    baton: at('.baton'),
    lock: at('.baton/engine.lock'),
    marks: at('.baton/marks'),
    tasks: at('.baton/tasks'),
    results: at('.baton/results'),
    configs: at('.baton/agents.json'),
    settings: at('.baton/handoff-settings.json'),
    events: at('events.ndjson'),
    status: at('status.json'),
    report: at('execution_report.json'),
    request: at('execution_request.json'),
    conflicts: at('conflicts.json'),
    engineLog: at('logs/engine.log'),
    logs: at('logs'),
    tmux: at('tmux'),
    work: at('work'),
    merged: at('merged'),
    merge: at('merge'),
    attempts: at('attempts'),
    checkpoint: at('checkpoint'),
    checkpointFile: at('checkpoint/checkpoint.tar.gz'),
    earlierRuns: at('runs'),
  };
}

export type AttemptPlaces = ReturnType<typeof attemptPlaces>;

export function attemptPlaces(workspace: string, agent: string, attempt: number) {
  const { marks, tasks, results, logs, attempts } = placesIn(workspace);
  return {
    mark: `${marks}/${agent}.${attempt}`,
    taskFile: `${tasks}/${agent}.${attempt}.json`,
    beforeFile: `${tasks}/${agent}.${attempt}.before.json`,
    resultFile: `${results}/${agent}/agent_result.json`,
    logFolder: `${logs}/${agent}`,
    logs: { stdout: `${logs}/${agent}/stdout.log`, stderr: `${logs}/${agent}/stderr.log` },
    // Where this attempt's files go when a later one begins.
    archive: `${attempts}/${attempt}/${agent}`,
    archivedLogs: {
      stdout: `${attempts}/${attempt}/${agent}/logs/stdout.log`,
      stderr: `${attempts}/${attempt}/${agent}/logs/stderr.log`,
    },
  };
}

// code-generator-20251030-1430, as in the protocol; a number follows when the name is taken.
export function sessionName(agent: string, startedAt: string, isTaken: (name: string) => boolean): string {
  const minute = startedAt.replace(/[-:]/g, '').replace('T', '-').slice(0, 13);
  const name = `${agent}-${minute}`;
  for (let n = 1; ; n++) {
    const candidate = n === 1 ? name : `${name}-${n}`;
    if (!isTaken(candidate)) return candidate;
  }
}
