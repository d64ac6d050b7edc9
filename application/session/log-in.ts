import type { Passwords } from '#application/ports/passwords.ts';
import type { RateLimited, RateLimits } from '#application/ports/rate-limits.ts';
import type { Users } from '#application/ports/users.ts';
import type { BeginSession, SignedIn } from '#application/session/begin-session.ts';
import { isActive } from '#domain/sessions/session.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';
import { maxEmailLength } from '#domain/users/email.ts';
import { maxPasswordLength } from '#domain/users/password.ts';
import type { User } from '#domain/users/user.ts';

/** The input of the login form, the client's address, and its `User-Agent`. */
export type LogInAttempt = Readonly<{ email: string; password: string; address: string; userAgent: string }>;

/**
 * Signs a user in. An unknown e-mail and a deactivated user take as long as a wrong password and get the same answer.
 * Attempts are counted before the password is verified, so that concurrent guesses gain nothing; a success resets them.
 */
export class LogIn {
  readonly #users: Users;
  readonly #passwords: Passwords;
  readonly #limits: RateLimits;
  readonly #beginSession: BeginSession;

  constructor(
    ports: Readonly<{
      users: Users;
      passwords: Passwords;
      limits: RateLimits;
      beginSession: BeginSession;
    }>,
  ) {
    this.#users = ports.users;
    this.#passwords = ports.passwords;
    this.#limits = ports.limits;
    this.#beginSession = ports.beginSession;
  }

  /** Returns the session; `invalid_credentials` does not reveal whether the e-mail or the password was wrong. */
  async run(credentials: LogInAttempt): Promise<Result<SignedIn, { reason: 'invalid_credentials' } | RateLimited>> {
    const email = credentials.email.trim().toLowerCase();
    const { password, address, userAgent } = credentials;
    const emailKey = `${email.slice(0, maxEmailLength)}|${address}`;
    const byAddress = await this.#limits.take('login_address', address);
    if (!byAddress.ok) return byAddress;
    const byEmail = await this.#limits.take('login_email', emailKey);
    if (!byEmail.ok) return byEmail;
    const user = await this.#authenticate(email, password);
    if (user === null) return err({ reason: 'invalid_credentials' });
    await this.#limits.giveBack('login_address', address);
    await this.#limits.forget('login_email', emailKey);
    return ok(await this.#beginSession.run(user, { begunBy: 'login', userAgent }));
  }

  async #authenticate(email: string, password: string): Promise<User | null> {
    if (email.length > maxEmailLength || password.length > maxPasswordLength) return null;
    const found = await this.#users.findByEmail(email);
    const isRight = await this.#passwords.verify(found?.passwordHash ?? null, password);
    return isRight && found !== null && isActive(found.user) ? found.user : null;
  }
}
