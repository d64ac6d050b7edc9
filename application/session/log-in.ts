import type { Clock } from '#application/ports/clock.ts';
import type { Passwords } from '#application/ports/passwords.ts';
import type { RateLimited, RateLimits } from '#application/ports/rate-limits.ts';
import type { SessionTokens } from '#application/ports/session-tokens.ts';
import type { Users } from '#application/ports/users.ts';
import type { Caller } from '#application/session/identify-caller.ts';
import { isActive } from '#domain/sessions/session.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';
import { maxEmailLength } from '#domain/users/email.ts';
import { maxPasswordLength } from '#domain/users/password.ts';
import type { User } from '#domain/users/user.ts';

/** The input of the login form, and the client's address. */
export type LogInAttempt = Readonly<{ email: string; password: string; address: string }>;

/** A person with a new session, which is also encrypted for the cookie. */
export type SignedIn = Caller & Readonly<{ token: string }>;

/**
 * Signs a user in. An unknown e-mail and a deactivated user take as long as a wrong password and get the same answer.
 * Attempts are counted before the password is verified, so that concurrent guesses gain nothing; a success resets them.
 */
export class LogIn {
  readonly #users: Users;
  readonly #passwords: Passwords;
  readonly #tokens: SessionTokens;
  readonly #limits: RateLimits;
  readonly #clock: Clock;

  constructor(
    ports: Readonly<{
      users: Users;
      passwords: Passwords;
      tokens: SessionTokens;
      limits: RateLimits;
      clock: Clock;
    }>,
  ) {
    this.#users = ports.users;
    this.#passwords = ports.passwords;
    this.#tokens = ports.tokens;
    this.#limits = ports.limits;
    this.#clock = ports.clock;
  }

  /** Returns the session; `invalid_credentials` does not reveal whether the e-mail or the password was wrong. */
  async run(credentials: LogInAttempt): Promise<Result<SignedIn, { reason: 'invalid_credentials' } | RateLimited>> {
    const email = credentials.email.trim().toLowerCase();
    const { password, address } = credentials;
    const emailKey = `${email.slice(0, maxEmailLength)}|${address}`;
    const byAddress = await this.#limits.take('login_address', address);
    if (!byAddress.ok) return byAddress;
    const byEmail = await this.#limits.take('login_email', emailKey);
    if (!byEmail.ok) return byEmail;
    const user = await this.#authenticate(email, password);
    if (user === null) return err({ reason: 'invalid_credentials' });
    await this.#limits.giveBack('login_address', address);
    await this.#limits.forget('login_email', emailKey);
    const session = { userId: user.id, issuedAt: this.#clock.now() };
    return ok({ user, session, by: 'person', token: await this.#tokens.seal(session) });
  }

  async #authenticate(email: string, password: string): Promise<User | null> {
    if (email.length > maxEmailLength || password.length > maxPasswordLength) return null;
    const found = await this.#users.findByEmail(email);
    const isRight = await this.#passwords.verify(found?.passwordHash ?? null, password);
    return isRight && found !== null && isActive(found.user) ? found.user : null;
  }
}
