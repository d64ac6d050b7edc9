/** How long a service may have a delivery wait by its own word (`Retry-After`), in ms: an hour. */
export const maxStatedWaitMs = 3_600_000;

/** How long it may have all the others wait by that word before one of them asks again, in ms. */
export const maxStatedRestMs = 60_000;
