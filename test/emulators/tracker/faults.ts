/** An error as the tracker reports it, thrown inside the emulator and answered in `errors`. `status` is the vendor's dialect's. */
export class TrackerFault extends Error {
  readonly code: string;
  readonly type: string;
  readonly status: number;
  readonly shown: string | null;
  /** Seconds to wait; only of a rate limit. */
  readonly retryAfterS: number | null;

  constructor(
    message: string,
    facts: Readonly<{ code: string; type: string; status: number; shown?: string; retryAfterS?: number }>,
  ) {
    super(message);
    this.code = facts.code;
    this.type = facts.type;
    this.status = facts.status;
    this.shown = facts.shown ?? null;
    this.retryAfterS = facts.retryAfterS ?? null;
  }
}

/** The document does not fit the schema. */
export const invalidDocument = (message: string) =>
  new TrackerFault(message, { code: 'GRAPHQL_VALIDATION_FAILED', type: 'graphql error', status: 400 });

/** The input does not fit the records. */
export const invalidInput = (shown: string) =>
  new TrackerFault('Argument Validation Error', { code: 'INVALID_INPUT', type: 'invalid input', status: 200, shown });

/** A record is not there. */
export const missing = (kind: string) =>
  new TrackerFault(`Entity not found: ${kind}`, {
    code: 'INPUT_ERROR',
    type: 'invalid input',
    status: 200,
    shown: `Could not find referenced ${kind}.`,
  });

/** The request is not signed in. */
export const unauthenticated = (message: string) =>
  new TrackerFault(message, { code: 'AUTHENTICATION_ERROR', type: 'authentication error', status: 401 });

/** The request is signed in, and may not do this. */
export const forbidden = (message: string) =>
  new TrackerFault(message, { code: 'FORBIDDEN', type: 'forbidden', status: 200 });

/** A budget is used up. */
export const ratelimited = (what: string, retryAfterS: number) =>
  new TrackerFault(`Rate limit exceeded: ${what}`, {
    code: 'RATELIMITED',
    type: 'ratelimited',
    status: 400,
    shown: `Rate limit exceeded. Only so much of ${what} is allowed in an hour.`,
    retryAfterS,
  });
