import type { ServiceKey } from '#domain/services/service-key.ts';
import type { Result } from '#domain/shared/result.ts';
import type { User } from '#domain/users/user.ts';

/** A user together with the PHC string of the Argon2id hash of the password. */
export type UserWithPassword = Readonly<{ user: User; passwordHash: string }>;

/** What is needed to make a user. */
export type NewUser = Readonly<{
  email: string;
  passwordHash: string;
  permissions: readonly ServiceKey[];
  isAdmin: boolean;
}>;

/** What may change of a user; what is not given stays. */
export type UserChange = Readonly<{
  passwordHash?: string;
  permissions?: readonly ServiceKey[];
  isAdmin?: boolean;
  signedOutBefore?: number;
}>;

/** The people who can sign in. E-mails are unique without regard to case. */
export interface Users {
  /** The user, or null. */
  find(id: number): Promise<User | null>;
  /** The user with that e-mail, in any case of letters, or null. */
  findByEmail(email: string): Promise<UserWithPassword | null>;
  /** All users in the order of their ids. */
  list(): Promise<readonly User[]>;
  /** Makes a user with the next free id; the first gets id 1. */
  add(user: NewUser): Promise<Result<User, { reason: 'email_taken' }>>;
  /** Changes the user; false when there is none with that id. */
  change(id: number, change: UserChange): Promise<boolean>;
}
