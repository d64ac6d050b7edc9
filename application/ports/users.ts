import type { NewOutgoing } from '#application/ports/notifications.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import type { Result } from '#domain/shared/result.ts';
import type { User } from '#domain/users/user.ts';
import type { UserState } from '#domain/users/user-state.ts';

/** A user with the PHC string of the Argon2id hash of the password. */
export type UserWithPassword = Readonly<{ user: User; passwordHash: string }>;

/** The data of a new user. */
export type NewUser = Readonly<{
  email: string;
  passwordHash: string;
  permissions: readonly ServiceKey[];
  isAdmin: boolean;
  name?: string | null;
  /** When they were invited, Unix ms; null or absent for a user who has a password that somebody knows. */
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
  /** Null removes the name. */
  name?: string | null;
  /** Null once the user has accepted the invitation. */
  invitedAt?: number | null;
}>;

/** A filter for users; members that are not given match all. */
export type UserFilter = Readonly<{
  /** Text in the e-mail or the name, ignoring case; at most 254 characters. */
  search?: string;
  state?: UserState;
  isAdmin?: boolean;
  /** Only users with this permission. */
  permission?: ServiceKey;
  /** Only users without this permission. */
  without?: ServiceKey;
}>;

/** A page of users: those that match, with ids above `after`. `limit` is 1 to 1,000. */
export type UsersQuery = UserFilter & Readonly<{ after?: number; limit: number }>;

/** What notifications the user who is added gives rise to. */
export type NotificationsOfUser = (user: User) => readonly NewOutgoing[];

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
  /** Lists the matching users of one page, in the order of their ids. */
  page(query: UsersQuery): Promise<readonly User[]>;
  /** Returns the users with these ids, in any order; those that do not exist are left out. */
  findAll(ids: readonly number[]): Promise<readonly User[]>;
  /**
   * Adds a user with the next id; the first gets id 1. No id is given twice, even after its user was removed. A store
   * that keeps notifications, too, adds those of `notifications` in the same transaction; another one need not.
   */
  add(user: NewUser, notifications?: NotificationsOfUser): Promise<Result<User, { reason: 'email_taken' }>>;
  /** Changes the user; false when there is none with that id. */
  change(id: number, change: UserChange): Promise<boolean>;
  /** Records that the user was here at this time (Unix ms). No-op for an unknown user. */
  noteSeen(id: number, at: number): Promise<void>;
  /** Removes the user; false when there is none with that id. */
  remove(id: number): Promise<boolean>;
}
