import type { ServiceKey } from '#domain/services/service-key.ts';
import type { TokenRecord } from '#domain/tokens/token-record.ts';

/** Whose record it is, and of which service. */
export type TokenPlace = Readonly<{ userId: number; service: ServiceKey }>;

/**
 * The connections of users to services: one record per user and service, tokens encrypted at rest. A record whose tokens
 * cannot be decrypted is there all the same, without them (`isReadable`).
 */
export interface OutboundTokens {
  /** The record, or null when the user is not connected to the service. */
  find(userId: number, service: ServiceKey): Promise<TokenRecord | null>;
  /** All of a user's records, in the order of the service keys. */
  list(userId: number): Promise<readonly TokenRecord[]>;
  /** Where there are records that end and can be renewed, of all users; nothing is decrypted, so one that cannot be read is told too. */
  renewable(): Promise<readonly TokenPlace[]>;
  /** Keeps the record, in place of an earlier one of the same user and service. */
  keep(record: TokenRecord): Promise<void>;
  /**
   * Keeps the record in place of `before`; false, and nothing changed, when the record kept is not that one any more (its
   * access token is another, or it is gone): what a user did meanwhile is never overwritten.
   */
  replace(before: TokenRecord, after: TokenRecord): Promise<boolean>;
  /** Forgets the record; false when there was none. */
  remove(userId: number, service: ServiceKey): Promise<boolean>;
}
