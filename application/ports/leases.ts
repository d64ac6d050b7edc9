/** Grants named leases to one owner at a time, across processes. Times are those of the store's clock. */
export interface Leases {
  /**
   * Acquires the lease, or extends the owner's own to `leaseMs` from now. Returns the fencing number, which grows
   * whenever the owner changes; null while another owner has it.
   */
  acquire(name: string, owner: string, leaseMs: number): Promise<number | null>;
  /** Releases the lease; false, and nothing changed, when another owner has it. */
  release(name: string, owner: string): Promise<boolean>;
}
