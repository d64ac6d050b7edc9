/**
 * The number of values encrypted with one key; `isCurrent` marks the encryption key, `isKnown` a key that this server
 * can decrypt with.
 */
export type KeyCount = Readonly<{ keyId: string; isCurrent: boolean; isKnown: boolean; values: number }>;

/** The progress of a re-encryption. `unreadable` values were encrypted with an unknown key, or altered. */
export type Reencrypted = Readonly<{ reencrypted: number; unreadable: number; total: number }>;

/** Counts and re-encrypts one kind of values that are encrypted at rest. */
export interface SealedValues {
  /** The name of these values, for an administrator. */
  readonly name: string;
  /** Counts the values by key. */
  count(): Promise<readonly KeyCount[]>;
  /**
   * Re-encrypts the values of former keys in batches, calling `onBatch` after each. Each value is replaced atomically
   * and only if it is unchanged, so that it is readable at all times, an interruption loses nothing, and another run
   * continues.
   */
  reencrypt(onBatch: (sofar: Reencrypted) => void, signal: AbortSignal): Promise<Reencrypted>;
}
