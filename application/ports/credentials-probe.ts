import type { Failure, Outcome } from '#domain/operations/outcome.ts';
import type { Result } from '#domain/shared/result.ts';
import type { TokenRecord } from '#domain/tokens/token-record.ts';

/** Tries credentials at their provider, with a request that reads little. */
export interface CredentialsProbe {
  /** The record with what its provider tells without credentials, such as the certificate to trust from then on. */
  complete(record: TokenRecord): Promise<Result<TokenRecord, Failure>>;
  /** The outcome of the request made with these credentials, kept or not. */
  probe(record: TokenRecord): Promise<Outcome>;
}
