import type { Failure, Outcome } from '#domain/operations/outcome.ts';
import type { Result } from '#domain/shared/result.ts';
import type { TokenRecord } from '#domain/tokens/token-record.ts';

/** Probes credentials at their provider with a small read request. */
export interface CredentialsProbe {
  /**
   * Completes a record with what its provider reveals without credentials, such as the certificate to pin.
   */
  complete(record: TokenRecord): Promise<Result<TokenRecord, Failure>>;
  /** Sends the request with these credentials, stored or not, and returns its outcome. */
  probe(record: TokenRecord): Promise<Outcome>;
}
