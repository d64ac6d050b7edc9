import type { RequestRow } from '#adapters/services/operation-table.ts';
import type { FailureReason, Outcome } from '#domain/operations/outcome.ts';
import type { TokenRecord } from '#domain/tokens/token-record.ts';
import type { HttpAnswer, HttpError, ReportedLimit } from '#infrastructure/http/http-messages.ts';

/** The credentials of a request: headers and query parameters to add. */
export type Credentials = Readonly<{
  headers?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, string>>;
}>;

/** A provider's error for a failed request. `reason` overrides the one that the status implies. */
export type ProviderError = Readonly<{
  reason?: FailureReason;
  message: string;
  details?: unknown;
  /** Milliseconds to wait, where the provider says so outside of `Retry-After`. */
  retryAfterMs?: number;
}>;

/** The row that was sent, and the connection it was sent for. */
export type Asked = Readonly<{ row: RequestRow; record: TokenRecord }>;

/** A successful JSON answer and its request, as a dialect reads them. */
export type GoodAnswer = Readonly<{
  row: RequestRow;
  inputs: Readonly<Record<string, unknown>>;
  status: number;
  headers: Readonly<Record<string, string>>;
  /** The parsed body; null when there was none. */
  body: unknown;
}>;

/**
 * A limit of the provider that is kept on our side (LIMIT-001): `points` in `windowMs`, of which this request takes
 * `cost`. Requests of one connection with the same `name` share it.
 */
export type Budget = Readonly<{ name: string; points: number; windowMs: number; cost: number }>;

/** The rest of a budget by the provider's headers: what is left, when it is renewed, and, where stated, its size. */
export type Remaining = Readonly<{
  name: string;
  remaining: number;
  resetsInMs: number | null;
  limit?: number | null;
  /** The budget has this much left at the least: ours is widened by it and never narrowed. */
  isAtLeast?: boolean;
}>;

/**
 * What one provider dictates in one dialect, as facts: where, how signed in, how named, how paged, how errors look.
 * Every dialect of every service is one such record; nothing below asks which it is.
 */
export type Dialect = Readonly<{
  /** 'neutral', or the vendor's: what rows name where they depart. */
  name: string;
  /** Where a connection's requests go, without a trailing slash; null while it is not known (no address is set). */
  baseUrl(record: TokenRecord): string | null;
  /** The address of a connection when it is its user's word, and not a setting's; null when it is not. Requests to it are bounded. */
  givenAddress?(record: TokenRecord): string | null;
  /** Which certificates are trusted: as `HttpRequest.trust`. */
  trust(record: TokenRecord): boolean | string;
  /** How a connection signs its requests in (SALES-001, SIGN-001, SUITE-001, TRACK-001, VAULT-001). */
  credentials(record: TokenRecord): Credentials;
  /** Headers of every request. */
  headers: Readonly<Record<string, string>>;
  /** Media types by the kind that rows name. */
  mediaTypes: Readonly<Record<string, string>>;
  /**
   * How an answer reads that is a failure; null when it says nothing that the status does not. It is asked for 4xx and 5xx,
   * and for 2xx as well when `isFailure` says so (errors inside HTTP 200).
   */
  readError(answer: HttpAnswer, body: unknown, asked: Asked): ProviderError | null;
  /** Why there was no answer, and what to do about it, where the provider's kind lets more be said than the network does. */
  explainError?(error: HttpError, record: TokenRecord): string | null;
  /**
   * The limit that an answer tells, by 429 or in words of the provider's own, with the wait that it asks for outside of
   * `Retry-After`; null when it tells none. Where it is no 429, a read waits and is sent again all the same; a write is not.
   */
  limitIn?(answer: HttpAnswer): ReportedLimit | null;
  /** Whether a 2xx answer is a failure (errors inside HTTP 200). */
  isFailure?(answer: HttpAnswer, body: unknown): boolean;
  /** Converts a successful JSON answer to an outcome: data out of its envelope, paging, warnings of partial success. */
  readSuccess(answer: GoodAnswer): Outcome;
  /** The limits that a request counts against. */
  budgets?(row: RequestRow, record: TokenRecord, inputs: Readonly<Record<string, unknown>>): readonly Budget[];
  /** How many requests of one connection may run at once; null when there is no such limit. */
  concurrency?(record: TokenRecord): number | null;
  /** What the provider's own headers say is left of a budget; each corrects ours. */
  readBudgets?(answer: HttpAnswer): readonly Remaining[];
}>;
