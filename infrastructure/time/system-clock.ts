/** The machine's clock, in Unix ms. */
export const systemClock = { now: (): number => Date.now() };
