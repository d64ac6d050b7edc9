/** The machine's own clock. */
export const systemClock = { now: (): number => Date.now() };
