// Time, as an argument: the real one here, a manual one in tests.

export type Clock = { now(): number };

export const realClock: Clock = { now: () => Date.now() };

export const iso = (ms: number): string => new Date(ms).toISOString();
