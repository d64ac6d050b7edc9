import type { Passwords } from '#application/ports/passwords.ts';
import type { Users } from '#application/ports/users.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import { err, type Result } from '#domain/shared/result.ts';
import { isEmail } from '#domain/users/email.ts';
import { passwordErrorOf } from '#domain/users/password.ts';
import type { User } from '#domain/users/user.ts';

/** The account of a new user. */
type NewAccount = Readonly<{
  email: string;
  password: string;
  permissions: readonly ServiceKey[];
  isAdmin: boolean;
}>;

/** Why no user was added. */
export type AddUserFailure = Readonly<{
  reason: 'invalid_email' | 'email_taken' | 'password_too_short' | 'password_too_long';
}>;

/** Adds a user. The first user always becomes an administrator. */
export class AddUser {
  readonly #users: Users;
  readonly #passwords: Passwords;

  constructor(users: Users, passwords: Passwords) {
    this.#users = users;
    this.#passwords = passwords;
  }

  /** Checks whether a user with that e-mail could be added; null when it could. */
  async emailError(email: string): Promise<AddUserFailure | null> {
    if (!isEmail(email)) return { reason: 'invalid_email' };
    return (await this.#users.findByEmail(email)) === null ? null : { reason: 'email_taken' };
  }

  /** Returns the new user, or why there is none. */
  async run({ email, password, permissions, isAdmin }: NewAccount): Promise<Result<User, AddUserFailure>> {
    const error = await this.emailError(email);
    if (error !== null) return err(error);
    const passwordError = passwordErrorOf(password);
    if (passwordError !== null) return err({ reason: passwordError });
    const isFirst = (await this.#users.page({ limit: 1 })).length === 0;
    const passwordHash = await this.#passwords.hash(password);
    return this.#users.add({ email, passwordHash, permissions, isAdmin: isAdmin || isFirst });
  }
}
