// The variables a Claude Code session gets besides those of every agent: the ones that say how to reach a
// model, and switches that keep extras out of a pane nobody watches. Pure.

const WANTED =
  /^(ANTHROPIC_|CLAUDE_|AWS_|GOOGLE_|GCLOUD_|CLOUD_ML_|VERTEX_|NODE_EXTRA_CA_CERTS$|SSL_CERT_|(https?|no|all)_proxy$)/i;

// Of the session that started Baton, where Baton itself was started by a Claude Code: never a child's.
const NOT_INHERITED =
  /^(CLAUDE_PID|CLAUDE_PROJECT_DIR|CLAUDE_CODE_(SESSION|SSE|ENTRYPOINT|CHILD|MESSAG|EXPERIMENTAL_AGENT|TMUX).*)$/;

export const claudeSwitches: Readonly<Record<string, string>> = {
  DISABLE_AUTOUPDATER: '1',
  DISABLE_TELEMETRY: '1',
  DISABLE_ERROR_REPORTING: '1',
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  CLAUDE_CODE_EXPERIMENTAL_AGENT_TEAMS: '0',
  // It asks "How is Claude doing?" in the middle of a session, and takes a digit for an answer.
  CLAUDE_CODE_DISABLE_FEEDBACK_SURVEY: '1',
  // With it a left arrow in an empty box moves the session out of its pane, to a daemon.
  CLAUDE_CODE_DISABLE_AGENT_VIEW: '1',
};

export const isClaudeVariable = (name: string): boolean => WANTED.test(name) && !NOT_INHERITED.test(name);

export type PaneFiles = { receipts: string; statusRecord: string; blockCompact: string; order: string };

export function claudeEnvironment(files: PaneFiles): Record<string, string> {
  return {
    ...claudeSwitches,
    BATON_RECEIPTS: files.receipts,
    BATON_STATUS_RECORD: files.statusRecord,
    BATON_BLOCK_COMPACT: files.blockCompact,
    BATON_ORDER: files.order,
  };
}
