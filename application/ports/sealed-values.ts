/**
 * The number of values encrypted with one key; `isCurrent` marks the key that encrypts, `isKnown` one that decrypts.
 */
export type KeyCount = Readonly<{ keyId: string; isCurrent: boolean; isKnown: boolean; values: number }>;

/** The progress of a re-encryption. `unreadable` values are encrypted with an unknown key, or were altered. */
export type Reencrypted = Readonly<{ reencrypted: number; unreadable: number; total: number }>;

/** Counts and re-encrypts one kind of values that are encrypted at rest. */
export interface SealedValues {
  /** The name of these values, for an administrator. */
  readonly name: string;
  /** Counts the values by key. */
  count(): Promise<readonly KeyCount[]>;
  /**
   * Re-encrypts the values of former keys, batch by batch, and calls `onBatch` after each. Each value changes in one
   * step and only if it did not change meanwhile: it can be read at any time, an interruption loses nothing, and a
   * second run continues.
   */
  reencrypt(onBatch: (sofar: Reencrypted) => void, signal: AbortSignal): Promise<Reencrypted>;
}
