import type { ServiceKey } from '#domain/services/service-key.ts';
import type { Result } from '#domain/shared/result.ts';
import type { User } from '#domain/users/user.ts';

/** A user with the PHC string of the Argon2id hash of the password. */
export type UserWithPassword = Readonly<{ user: User; passwordHash: string }>;

/** The data of a new user. */
export type NewUser = Readonly<{
  email: string;
  passwordHash: string;
  permissions: readonly ServiceKey[];
  isAdmin: boolean;
  /** When the user was invited, Unix ms; null or absent for one who was given a password. */
  invitedAt?: number | null;
}>;

/** A change of a user; omitted members are unchanged. */
export type UserChange = Readonly<{
  passwordHash?: string;
  permissions?: readonly ServiceKey[];
  isAdmin?: boolean;
  signedOutBefore?: number;
  /** Null reactivates the user. */
  deactivatedAt?: number | null;
  /** Null resets to UTC. */
  timeZone?: string | null;
  switchedOff?: readonly string[];
  /** Null once the user has accepted the invitation. */
  invitedAt?: null;
}>;

/**
 * Stores the users who can sign in. E-mails are unique by their key (`emailKeyOf`) and displayed as entered, trimmed.
 */
export interface Users {
  /** Returns the user, or null. */
  find(id: number): Promise<User | null>;
  /** Returns the user whose e-mail has the same key, or null. */
  findByEmail(email: string): Promise<UserWithPassword | null>;
  /** Lists all users in the order of their ids. */
  list(): Promise<readonly User[]>;
  /** Adds a user with the next free id; the first gets id 1. */
  add(user: NewUser): Promise<Result<User, { reason: 'email_taken' }>>;
  /** Changes the user; false when there is none with that id. */
  change(id: number, change: UserChange): Promise<boolean>;
}
