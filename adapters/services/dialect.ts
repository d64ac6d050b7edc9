import type { PageStyle } from '#adapters/services/operation-table.ts';
import type { FailureReason, Pagination } from '#domain/operations/outcome.ts';
import type { TokenRecord } from '#domain/tokens/token-record.ts';
import type { HttpAnswer } from '#infrastructure/http/http-client.ts';

/** What signs a request in: headers and query parameters to add. */
export type Credentials = Readonly<{
  headers?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, string>>;
}>;

/** What the provider said of a failed request. `reason` departs from what the status says. */
export type ProviderError = Readonly<{ reason?: FailureReason; message: string; details?: unknown }>;

/**
 * What one provider dictates in one dialect, as facts: where, how signed in, how named, how paged, how errors look.
 * Every dialect of every service is one such record; nothing below asks which it is.
 */
export type Dialect = Readonly<{
  name: string;
  /** Whether a row's `own` path and method hold, and `absent` rows are refused. */
  isOwn: boolean;
  /** Where a connection's requests go, without a trailing slash. */
  baseUrl(record: TokenRecord): string;
  /** Which certificates are believed: as `HttpRequest.trust`. */
  trust(record: TokenRecord): boolean | string;
  /** How a connection signs its requests in (contract, Outbound authentication). */
  credentials(record: TokenRecord): Credentials;
  /** Headers of every request, or of those with the method. */
  headers: Readonly<Record<string, string>>;
  /** Media types by the kind that rows name. */
  mediaTypes: Readonly<Record<string, string>>;
  /** How an error body reads; null when it says nothing that the status does not. */
  readError(answer: HttpAnswer, body: unknown): ProviderError | null;
  /** The data and paging of a good answer; `input` is what the call was made with. */
  readPage(
    style: PageStyle,
    body: unknown,
    input: Readonly<Record<string, unknown>>,
  ): Readonly<{ data: unknown; pagination: Pagination }>;
}>;
