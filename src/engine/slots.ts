// One limit on panes for several executions in one engine.

export type Slots = {
  free(): number;
  hold(execution: string, panes: number): void;
  onFreed(listener: () => void): () => void;
};

export function makeSlots(limit: number): Slots {
  const held = new Map<string, number>();
  const listeners = new Set<() => void>();
  return {
    free: () => limit - [...held.values()].reduce((sum, panes) => sum + panes, 0),
    hold(execution, panes) {
      const freed = panes < (held.get(execution) ?? 0);
      if (panes === 0) held.delete(execution);
      else held.set(execution, panes);
      if (freed) for (const listener of [...listeners]) listener();
    },
    onFreed(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
