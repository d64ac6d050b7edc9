/** The system's clock, in Unix ms. */
export const systemClock = { now: Date.now };
