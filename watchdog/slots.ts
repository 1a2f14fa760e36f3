// How many handoffs are at work on this machine at once: those whose agent was asked and has not gone on yet. One that
// merely waits (for a quiet pane, for a person's commit) holds nothing.

export type HandoffSlots = {
  take(handoffId: string, most: number): boolean; // true: it has one now, or had one already
  give(handoffId: string): void;
};

export function openSlots(): HandoffSlots {
  const held = new Set<string>();
  return {
    take(handoffId, most) {
      if (!held.has(handoffId) && held.size >= most) return false;
      held.add(handoffId);
      return true;
    },
    give: handoffId => void held.delete(handoffId),
  };
}
