// What this house needs from tmux, and no more. No exit code here on purpose: tmux 3.3a loses it for
// some dead panes, so the launcher writes it to a file.

export type PaneTags = { execution: string; workspace: string; agent: string; attempt: number };

export type SessionSpec = {
  session: string;
  tags: PaneTags;
  env: Readonly<Record<string, string>>;
  command: readonly string[];
  rawLog: string; // everything the pane shows is appended here
};

export type OpenedPane = { session: string; pane: string; pid: number };

export type PaneFact = OpenedPane & { isDead: boolean; tags: PaneTags };

// The server stays when its last session ends, as tmux's own does: one that ends while another engine
// starts would take the other's socket, and with it its agents, along.
export interface Tmux {
  // Opens all of them with one call; a session that could not be opened is missing from the answer.
  openSessions(specs: readonly SessionSpec[]): Promise<{ opened: OpenedPane[]; complaint: string }>;
  // Only panes tagged by Baton. Empty when no server runs.
  listPanes(): Promise<PaneFact[]>;
  listSessionNames(): Promise<Set<string>>;
  closeSessions(sessions: readonly string[]): Promise<void>;
}

export class TmuxError extends Error {
  override name = 'TmuxError';
  readonly subcommand: string;

  constructor(subcommand: string, stderr: string, options?: ErrorOptions) {
    super(`tmux ${subcommand}: ${stderr.trim() || 'no answer'}`, options);
    this.subcommand = subcommand;
  }
}
