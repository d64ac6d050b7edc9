import type { Passwords, PasswordsBusy } from '#application/ports/passwords.ts';
import type { RateLimited, RateLimits } from '#application/ports/rate-limits.ts';
import type { Sessions } from '#application/ports/sessions.ts';
import type { Users } from '#application/ports/users.ts';
import type { BeginSession } from '#application/session/begin-session.ts';
import type { SignOutEverywhere } from '#application/session/sign-out-everywhere.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';
import { maxPasswordLength, passwordErrorOf } from '#domain/users/password.ts';
import type { User } from '#domain/users/user.ts';

type OwnPasswordDependencies = Readonly<{
  users: Pick<Users, 'findByEmail'>;
  passwords: Passwords;
  limits: RateLimits;
  sessions: Pick<Sessions, 'find'>;
  signOutEverywhere: SignOutEverywhere;
  beginSession: BeginSession;
}>;

/** Why the password was not changed. */
type OwnPasswordFailure =
  | Readonly<{ reason: 'wrong_password' | 'password_too_short' | 'password_too_long' }>
  | RateLimited
  | PasswordsBusy;

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
    user: User,
    given: Readonly<{ old: string; password: string; address: string; userAgent: string }>,
  ): Promise<Result<string, OwnPasswordFailure>> {
    const { users, passwords, limits, signOutEverywhere, beginSession } = this.#dependencies;
    const { id, email } = user;
    const key = `${email.toLowerCase()}|${given.address}`;
    const limited = await limits.take('login_email', key);
    if (!limited.ok) return limited;
    const found = given.old.length > maxPasswordLength ? null : await users.findByEmail(email);
    const verified = await passwords.verify(found?.passwordHash ?? null, given.old.slice(0, maxPasswordLength));
    if (!verified.ok) {
      await limits.giveBack('login_email', key);
      return verified;
    }
    if (!verified.value) return err({ reason: 'wrong_password' });
    await limits.forget('login_email', key);
    const error = passwordErrorOf(given.password);
    if (error !== null) return err({ reason: error });
    const signedOutBefore = await signOutEverywhere.run(id, { passwordHash: await passwords.hash(given.password) });
    const { userAgent } = given;
    return ok((await beginSession.run({ ...user, signedOutBefore }, { begunBy: 'login', userAgent })).token);
  }

  /**
   * Ends all sessions of the user except the new one that is returned, encrypted, which continues the requesting
   * browser's. Null when that one is from before sessions were stored: it ends too.
   */
  async signOutOthers(user: User): Promise<string | null> {
    const { sessions, signOutEverywhere, beginSession } = this.#dependencies;
    const former = user.signedInBy === undefined ? null : await sessions.find(user.signedInBy);
    const signedOutBefore = await signOutEverywhere.run(user.id);
    if (former === null) return null;
    const { begunBy, begunAt, userAgent } = former;
    const continued = { begunBy, begunAt, userAgent: userAgent ?? '' };
    return (await beginSession.run({ ...user, signedOutBefore }, continued)).token;
  }
}
