import type { ServiceKey } from '#domain/services/service-key.ts';
import type { TokenRecord } from '#domain/tokens/token-record.ts';

/** The connections of users to services: one record per user and service, tokens encrypted at rest. */
export interface OutboundTokens {
  /** The record, or null when the user is not connected to the service. */
  find(userId: number, service: ServiceKey): Promise<TokenRecord | null>;
  /** All of a user's records, in the order of the service keys. */
  list(userId: number): Promise<readonly TokenRecord[]>;
  /** All records of all users, for the background job. */
  all(): Promise<readonly TokenRecord[]>;
  /** Keeps the record, in place of an earlier one of the same user and service. */
  keep(record: TokenRecord): Promise<void>;
  /** Forgets the record; false when there was none. */
  remove(userId: number, service: ServiceKey): Promise<boolean>;
}
