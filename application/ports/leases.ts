/** Grants named leases to one owner at a time, across processes. Times are measured by the store's clock. */
export interface Leases {
  /**
   * Acquires the lease, or extends the owner's own, until `leaseMs` from now. Returns the fencing token, which
   * increases whenever the owner changes; null while another owner holds the lease.
   */
  acquire(name: string, owner: string, leaseMs: number): Promise<number | null>;
  /** Releases the lease; false, with nothing changed, when another owner holds it. */
  release(name: string, owner: string): Promise<boolean>;
}
