// One headless session, from the first prompt to closed stdin. Pure: state and what was seen in, next state and
// what to do out. Ending it by force (time, silence, cancel) is not decided here: that is allowed in any state.
//
//   working ──turn ended──────────────────────────▶ closing
//      │ context full                                  ▲
//      ▼                                               │ section written, or answered without one
//   asked ──patience over──▶ interrupting ──▶ asked ───┤
//      │                          ▲                    │
//      └───────── money spent ────┴────────────────────┘

export type SessionState =
  | { phase: 'working' }
  | { phase: 'asked'; time: 1 | 2; sinceMs: number }
  | { phase: 'interrupting'; after: 'ask' | 'close'; sinceMs: number }
  | { phase: 'closing'; sinceMs: number };

export type SessionSeen = {
  nowMs: number;
  isContextFull: boolean; // PreCompact was met, and a fresh session may follow
  isSpent: boolean;
  turnEnded: boolean; // since the last look
  isBroken: boolean; // by an API error: no further answer is to be had
  isAskTaken: boolean; // the agent has our question before it
  hasSection: boolean; // written since it was asked
};

export type SessionEffect = 'ask' | 'interrupt' | 'close' | 'note_cost_cap';
export type SessionStep = { next: SessionState; effects: SessionEffect[] };

// An interrupted turn ended within 10 ms (2.1.326).
const INTERRUPT_MS = 5000;

export function stepSession(state: SessionState, seen: SessionSeen, handoffMs: number): SessionStep {
  const { nowMs } = seen;
  const stay = { next: state, effects: [] };
  const close = (): SessionStep => ({ next: { phase: 'closing', sinceMs: nowMs }, effects: ['close'] });
  const ask = (time: 1 | 2): SessionStep => ({ next: { phase: 'asked', time, sinceMs: nowMs }, effects: ['ask'] });
  const interrupt = (after: 'ask' | 'close', more: SessionEffect[] = []): SessionStep => ({
    next: { phase: 'interrupting', after, sinceMs: nowMs },
    effects: [...more, 'interrupt'],
  });
  const cap = (): SessionStep => {
    if (!seen.turnEnded) return interrupt('close', ['note_cost_cap']);
    return { next: { phase: 'closing', sinceMs: nowMs }, effects: ['note_cost_cap', 'close'] };
  };
  switch (state.phase) {
    case 'working':
      if (seen.turnEnded && seen.isBroken) return close();
      // A turn that ended by itself owes nothing more; asking for a handoff would.
      if (seen.isSpent && (!seen.turnEnded || seen.isContextFull)) return cap();
      if (seen.isContextFull) return ask(1);
      return seen.turnEnded ? close() : stay;
    case 'asked':
      if (seen.turnEnded && (seen.isBroken || seen.hasSection || seen.isAskTaken)) return close();
      if (seen.isSpent) return cap();
      if (nowMs - state.sinceMs < handoffMs) return stay;
      return interrupt(state.time === 1 && !seen.hasSection ? 'ask' : 'close');
    case 'interrupting':
      if (!seen.turnEnded && nowMs - state.sinceMs < INTERRUPT_MS) return stay;
      return state.after === 'ask' ? ask(2) : close();
    case 'closing':
      return stay;
  }
}
