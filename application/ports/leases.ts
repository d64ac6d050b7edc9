/** Named claims to be the only one at something, across processes. Times are those of the store's clock. */
export interface Leases {
  /**
   * Takes the lease, or makes the owner's own last `leaseMs` from now. The fencing number, which grows whenever the owner
   * changes; null while it is another's.
   */
  acquire(name: string, owner: string, leaseMs: number): Promise<number | null>;
  /** Gives the lease back; false, and nothing changed, when it is not the owner's. */
  release(name: string, owner: string): Promise<boolean>;
}
