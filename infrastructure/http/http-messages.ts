/**
 * One outgoing request. `timeoutMs` bounds each attempt as a whole, or, when the body or the answer is streamed, the wait
 * for the answer's head and every silence. `maxBytes` bounds an answer's body that is read whole. A body that is a stream
 * is sent once.
 */
export type HttpRequest = Readonly<{
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  url: string;
  headers: Readonly<Record<string, string>>;
  body?: string | Uint8Array | AsyncIterable<Uint8Array>;
  timeoutMs: number;
  maxBytes: number;
  /** Whether the request is idempotent; by default GET, PUT and DELETE are. */
  isRepeatable?: boolean;
  /** False accepts any certificate; a PEM text accepts that one; true, the default, trusts the usual authorities. */
  trust?: boolean | string;
  signal?: AbortSignal;
}>;

/** An answer with its whole body; header names are in lower case. */
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

/** A request without an answer, and what went wrong. With `address` nothing was sent, since the request may not go there. */
export type HttpError = Readonly<{
  kind: 'error';
  reason: 'timeout' | 'network' | 'address' | 'too_large' | 'aborted';
  message: string;
  /** The network's error code, such as `ECONNREFUSED`; only with `network`. */
  code?: string;
}>;

/** How many attempts one request gets, and within how many ms. */
export type RetryBounds = Readonly<{ tries: number; withinMs: number }>;

/** A reached rate limit, and how long its server asks to wait, in ms; null when it does not say. */
export type ReportedLimit = Readonly<{ retryAfterMs: number | null }>;

/** Reads a rate limit that a server reports in a format of its own, or the wait that a 429 asks for in it; null when there is none. */
export type LimitReader = (answer: HttpAnswer) => ReportedLimit | null;
