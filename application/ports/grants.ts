import type { AppGrant, GrantChange } from '#domain/oauth/app-grant.ts';

/** Stores the grants that users gave to apps. Removing a grant invalidates the access tokens that name it. */
export interface Grants {
  /** Stores a new grant by its id. */
  keep(grant: AppGrant): Promise<void>;
  /** Returns the grant; null when it is unknown or revoked. */
  find(id: string): Promise<AppGrant | null>;
  /** Lists a user's grants, the latest first. */
  list(userId: number): Promise<readonly AppGrant[]>;
  /** Records a use at this time (Unix ms); never moves the recorded time back. No-op for an unknown grant. */
  noteUse(id: string, at: number): Promise<void>;
  /** Changes what is given of a grant; false when the user has no grant with that id. */
  change(userId: number, id: string, change: GrantChange): Promise<boolean>;
  /** Removes a grant of the user; false when the user has none with that id. */
  remove(userId: number, id: string): Promise<boolean>;
  /** Removes all grants made before this time (Unix ms) and returns their number. */
  prune(before: number): Promise<number>;
}
