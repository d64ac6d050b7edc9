/** How many values are sealed with one key; `isCurrent` is the key that seals, `isKnown` one that opens. */
export type KeyCount = Readonly<{ keyId: string; isCurrent: boolean; isKnown: boolean; values: number }>;

/** How far a re-encryption has come. `unreadable` values are sealed with a key that is not known, or were altered. */
export type Reencrypted = Readonly<{ reencrypted: number; unreadable: number; total: number }>;

/** One kind of values that are sealed at rest. */
export interface SealedValues {
  /** What they are, as an administrator reads it. */
  readonly name: string;
  /** How many there are by key. */
  count(): Promise<readonly KeyCount[]>;
  /**
   * Seals those of former keys anew, batch by batch, and tells after each. Each value changes in one step and only if nobody
   * changed it meanwhile: it can be read at any time, a break-off loses nothing, and a second run goes on.
   */
  reencrypt(onBatch: (sofar: Reencrypted) => void, signal: AbortSignal): Promise<Reencrypted>;
}
