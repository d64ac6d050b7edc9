/** The longest time that a service's `Retry-After` may delay a delivery, in ms: an hour. */
export const maxStatedWaitMs = 3_600_000;

/** The longest time that it may delay all others before one of them is tried, in ms. */
export const maxStatedRestMs = 60_000;
