import type { Clock } from '#application/ports/clock.ts';
import type { Passwords } from '#application/ports/passwords.ts';
import type { RateLimited, RateLimits } from '#application/ports/rate-limits.ts';
import type { SessionTokens } from '#application/ports/session-tokens.ts';
import type { Users } from '#application/ports/users.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';
import { maxPasswordLength, passwordErrorOf } from '#domain/users/password.ts';
import type { User } from '#domain/users/user.ts';

/** The dependencies of the use case. */
export type OwnPasswordDependencies = Readonly<{
  users: Pick<Users, 'findByEmail' | 'change'>;
  passwords: Passwords;
  limits: RateLimits;
  tokens: Pick<SessionTokens, 'seal'>;
  clock: Clock;
}>;

/** Why the password was not changed. */
export type OwnPasswordFailure =
  | Readonly<{ reason: 'wrong_password' | 'password_too_short' | 'password_too_long' }>
  | RateLimited;

/** Lets users change their own password and end their other sessions. */
export class ChangeOwnPassword {
  readonly #dependencies: OwnPasswordDependencies;

  constructor(dependencies: OwnPasswordDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Changes the password and ends all other sessions; returns a new encrypted session for the requesting browser.
   * Attempts are rate-limited like logins.
   */
  async run(
    { id, email }: User,
    given: Readonly<{ old: string; password: string; address: string }>,
  ): Promise<Result<string, OwnPasswordFailure>> {
    const { users, passwords, limits } = this.#dependencies;
    const key = `${email.toLowerCase()}|${given.address}`;
    const limited = await limits.take('login_email', key);
    if (!limited.ok) return limited;
    const found = given.old.length > maxPasswordLength ? null : await users.findByEmail(email);
    if (!(await passwords.verify(found?.passwordHash ?? null, given.old.slice(0, maxPasswordLength)))) {
      return err({ reason: 'wrong_password' });
    }
    await limits.forget('login_email', key);
    const error = passwordErrorOf(given.password);
    if (error !== null) return err({ reason: error });
    return ok(await this.#endOthers(id, await passwords.hash(given.password)));
  }

  /** Ends all sessions of the user except the new one that is returned, encrypted. */
  async signOutOthers({ id }: User): Promise<string> {
    return this.#endOthers(id, null);
  }

  async #endOthers(id: number, passwordHash: string | null): Promise<string> {
    const { users, tokens, clock } = this.#dependencies;
    const signedOutBefore = clock.now() + 1;
    await users.change(id, { signedOutBefore, ...(passwordHash === null ? {} : { passwordHash }) });
    return tokens.seal({ userId: id, issuedAt: signedOutBefore });
  }
}
