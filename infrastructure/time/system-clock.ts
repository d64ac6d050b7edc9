/** The machine's own clock. */
export const systemClock = { now: Date.now };
