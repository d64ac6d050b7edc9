/** Decides whether a request may leave, and is notified that it does: for work that must not begin any more at a time. */
export type HttpDeparture = Readonly<{
  /** Called right before the first byte may leave; false forbids it. */
  begin(): boolean;
  /** Cancels the request even when it has left. */
  cut: AbortSignal;
}>;

/**
 * An outgoing request. `timeoutMs` limits each attempt as a whole, or, when the body or the answer is streamed, the
 * wait for the response head and every idle period. `maxBytes` limits the body of an answer that is read whole. A
 * streamed body can be sent only once.
 */
export type HttpRequest = Readonly<{
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  url: string;
  headers: Readonly<Record<string, string>>;
  body?: string | Uint8Array | AsyncIterable<Uint8Array>;
  timeoutMs: number;
  maxBytes: number;
  /** Whether the request is idempotent; defaults to true for GET, PUT and DELETE. */
  isRepeatable?: boolean;
  /**
   * False accepts any certificate; a PEM text accepts only that one; true, the default, trusts the system's
   * authorities.
   */
  trust?: boolean | string;
  /** Cancels the request; one with a `departure` only until it has left. */
  signal?: AbortSignal;
  departure?: HttpDeparture;
}>;

/** An answer with its complete body; header names are lower-case. */
export type HttpAnswer = Readonly<{
  kind: 'answer';
  status: number;
  headers: Readonly<Record<string, string>>;
  body: Uint8Array;
}>;

/** A 2xx answer whose body is still arriving. */
export type HttpStream = Readonly<{
  kind: 'stream';
  status: number;
  headers: Readonly<Record<string, string>>;
  body: AsyncIterable<Uint8Array>;
}>;

/** A request that got no usable answer, and why. With `address` the destination is not allowed. */
export type HttpError = Readonly<{
  kind: 'error';
  reason: 'timeout' | 'network' | 'address' | 'too_large' | 'aborted';
  message: string;
  /** `no` when no byte of it left; `unknown` when some may have, in this attempt or an earlier one. */
  sent: 'no' | 'unknown';
  /** The network's error code, such as `ECONNREFUSED`; only with `network`. */
  code?: string;
}>;

/** The maximum number of attempts for a request, and how long after the first one the last may begin, in ms. */
export type RetryBounds = Readonly<{ tries: number; withinMs: number }>;

/** A rate limit that was reached, and the wait that its server asks for, in ms; null when it does not say. */
export type ReportedLimit = Readonly<{ retryAfterMs: number | null }>;

/** Reads a rate limit in a vendor-specific format, or the wait that a 429 asks for in it; null when there is none. */
export type LimitReader = (answer: HttpAnswer) => ReportedLimit | null;
