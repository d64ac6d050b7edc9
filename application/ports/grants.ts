import type { AppGrant } from '#domain/oauth/app-grant.ts';

/** Stores the grants that users gave to apps. A grant that is removed ends the access tokens which name it. */
export interface Grants {
  /** Stores a new grant under its id. */
  keep(grant: AppGrant): Promise<void>;
  /** Returns the grant, or null when there is none, or it was revoked. */
  find(id: string): Promise<AppGrant | null>;
  /** Lists a user's grants, the latest first. */
  list(userId: number): Promise<readonly AppGrant[]>;
  /** Records a use at this time (Unix ms); an earlier time never replaces a later one, and an unknown grant is no error. */
  noteUse(id: string, at: number): Promise<void>;
  /** Removes a grant of the user; false when the user has none with that id. */
  remove(userId: number, id: string): Promise<boolean>;
  /** Removes all grants made before this time (Unix ms), and returns how many there were. */
  prune(before: number): Promise<number>;
}
