/** The maximum delay of a delivery that a service can request with `Retry-After`, in ms: an hour. */
export const maxStatedWaitMs = 3_600_000;

/** The maximum delay of all other deliveries to that service, before one of them is tried, in ms: a minute. */
export const maxStatedRestMs = 60_000;
