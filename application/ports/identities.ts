import type { LinkedIdentity } from '#domain/sign-in/identity.ts';

/** Stores which user each identity of an identity provider is. Several may be one user’s; each is one user’s at most. */
export interface Identities {
  /** Returns the identity, also that of a deleted user; null when it was never linked, or was unlinked. */
  find(id: string): Promise<LinkedIdentity | null>;
  /** Lists the identities of a user, the earliest first. */
  list(userId: number): Promise<readonly LinkedIdentity[]>;
  /** Links a new identity, or that of a deleted user; false when it is a user’s already, to whom it stays linked. */
  link(identity: LinkedIdentity & Readonly<{ userId: number }>): Promise<boolean>;
  /** Records a sign-in: its time (Unix ms), and the e-mail that the provider gave. */
  noteUse(id: string, use: Readonly<{ at: number; email: string | null }>): Promise<void>;
  /** Removes an identity of the user; false when the user has none with that id. */
  unlink(userId: number, id: string): Promise<boolean>;
  /** Removes user and e-mail from all identities of a deleted user, which stay known; returns their number. */
  forgetUser(userId: number): Promise<number>;
}
