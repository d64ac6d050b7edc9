import type { RequestRow } from '#adapters/services/requests/operation-table.ts';
import type { FailureReason, Outcome } from '#domain/operations/outcome.ts';
import type { TokenRecord } from '#domain/tokens/token-record.ts';
import type { HttpAnswer, HttpError, ReportedLimit } from '#infrastructure/http/http-messages.ts';

/** The credentials of a request, as headers and query parameters to add. */
export type Credentials = Readonly<{
  headers?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, string>>;
}>;

/** A provider's error for a failed request. `reason` overrides the one implied by the status. */
export type ProviderError = Readonly<{
  reason?: FailureReason;
  message: string;
  details?: unknown;
  /** The milliseconds to wait, if the provider gives them outside `Retry-After`. */
  retryAfterMs?: number;
}>;

/** The row that was sent, and its connection. */
export type Asked = Readonly<{ row: RequestRow; record: TokenRecord }>;

/** A successful JSON answer and its request, as input for a dialect. */
export type GoodAnswer = Readonly<{
  row: RequestRow;
  inputs: Readonly<Record<string, unknown>>;
  status: number;
  headers: Readonly<Record<string, string>>;
  /** The parsed body; null when there was none. */
  body: unknown;
}>;

/**
 * A limit of the provider that is enforced before sending (LIMIT-001): `points` per `windowMs`, of which this request
 * takes `cost`. Requests of one connection with the same `name` share it; with `sharedBy` those of all connections that
 * state the same, such as a company.
 */
export type Budget = Readonly<{ name: string; points: number; windowMs: number; cost: number; sharedBy?: string }>;

/** The rest of a budget according to the provider's headers: what is left, when it resets, and, if stated, its size. */
export type Remaining = Readonly<{
  name: string;
  remaining: number;
  resetsInMs: number | null;
  limit?: number | null;
  /** The budget has at least this much left: ours is raised to it and never lowered. */
  isAtLeast?: boolean;
}>;

/**
 * The facts of one provider's API in one dialect: addresses, authentication, naming, paging, errors. Every dialect of
 * every service is one such record; the code below it never asks which one it has.
 */
export type Dialect = Readonly<{
  /** 'neutral', or the vendor's name, which rows refer to where they differ. */
  name: string;
  /** The base URL of a connection's requests, without a trailing slash; null while it is unknown (not configured). */
  baseUrl(record: TokenRecord): string | null;
  /**
   * The address of a connection if its user entered it, rather than a setting; else null. Requests to it are
   * restricted.
   */
  givenAddress?(record: TokenRecord): string | null;
  /** Which certificates are trusted: as `HttpRequest.trust`. */
  trust(record: TokenRecord): boolean | string;
  /** The credentials of a connection's requests (SALES-001, SIGN-001, SUITE-001, TRACK-001, VAULT-001). */
  credentials(record: TokenRecord): Credentials;
  /** Headers of every request. */
  headers: Readonly<Record<string, string>>;
  /** Media types by the name that rows use. */
  mediaTypes: Readonly<Record<string, string>>;
  /**
   * Parses an answer as an error; null when it adds nothing to the status. Called for 4xx and 5xx, and for 2xx when
   * `isFailure` says so (errors inside HTTP 200).
   */
  readError(answer: HttpAnswer, body: unknown, asked: Asked): ProviderError | null;
  /**
   * Explains why there was no answer and what to do, where the kind of provider allows more detail than the network
   * error.
   */
  explainError?(error: HttpError, record: TokenRecord): string | null;
  /**
   * The rate limit that an answer reports, by 429 or in the provider's own terms, with the wait if given outside
   * `Retry-After`; null when it reports none. Without a 429, a read is still retried after the wait; a write is not.
   */
  limitIn?(answer: HttpAnswer): ReportedLimit | null;
  /** Whether a 2xx answer is a failure (errors inside HTTP 200). */
  isFailure?(answer: HttpAnswer, body: unknown): boolean;
  /**
   * Converts a successful JSON answer to an outcome: unwraps the data, and reads paging and warnings of partial
   * success.
   */
  readSuccess(answer: GoodAnswer): Outcome;
  /** The revision of what was read, for a conditional write; undefined where the answer states none. */
  revisionIn?(answer: HttpAnswer, data: unknown): string | undefined;
  /** The path of the note, for a request that did not name it; undefined where the answer states none. */
  pathIn?(answer: HttpAnswer): string | undefined;
  /** The limits that a request counts against. */
  budgets?(row: RequestRow, record: TokenRecord, inputs: Readonly<Record<string, unknown>>): readonly Budget[];
  /** The maximum number of concurrent requests of one connection; null when there is no such limit. */
  concurrency?(record: TokenRecord): number | null;
  /** What the provider's headers report as left of each budget; corrects our counts. */
  readBudgets?(answer: HttpAnswer): readonly Remaining[];
}>;
