import type { Passwords } from '#application/ports/passwords.ts';
import type { Users } from '#application/ports/users.ts';
import type { SignOutEverywhere } from '#application/session/sign-out-everywhere.ts';
import { findUser, type UnknownEmail } from '#application/users/find-user.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';
import { passwordErrorOf } from '#domain/users/password.ts';
import type { User } from '#domain/users/user.ts';

/** Why the password was not changed. */
export type SetPasswordFailure = UnknownEmail | Readonly<{ reason: 'password_too_short' | 'password_too_long' }>;

/** Sets a user's password and ends all their sessions, since an attacker who knew the old password may have one. */
export class SetPassword {
  readonly #users: Users;
  readonly #passwords: Passwords;
  readonly #signOutEverywhere: SignOutEverywhere;

  constructor(users: Users, passwords: Passwords, signOutEverywhere: SignOutEverywhere) {
    this.#users = users;
    this.#passwords = passwords;
    this.#signOutEverywhere = signOutEverywhere;
  }

  /** Returns the user, or why nothing was changed. */
  async run(email: string, password: string): Promise<Result<User, SetPasswordFailure>> {
    const found = await findUser(this.#users, email);
    if (!found.ok) return found;
    const error = passwordErrorOf(password);
    if (error !== null) return err({ reason: error });
    const passwordHash = await this.#passwords.hash(password);
    await this.#signOutEverywhere.run(found.value.id, { passwordHash, invitedAt: null });
    return ok(found.value);
  }
}
