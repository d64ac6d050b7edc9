import type { Outcome } from '#domain/operations/outcome.ts';
import type { TokenRecord } from '#domain/tokens/token-record.ts';

/** Tries credentials at their provider, with a request that reads little. */
export interface CredentialsProbe {
  /** The outcome of the request made with these credentials, kept or not. */
  probe(record: TokenRecord): Promise<Outcome>;
}
