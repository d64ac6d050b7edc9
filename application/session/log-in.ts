import type { Passwords, PasswordsBusy } from '#application/ports/passwords.ts';
import type { RateLimited, RateLimits } from '#application/ports/rate-limits.ts';
import type { Users } from '#application/ports/users.ts';
import type { BeginSession, SignedIn } from '#application/session/begin-session.ts';
import { loginCounterOf } from '#domain/limits/login-counter.ts';
import { isActive } from '#domain/sessions/session.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';
import { emailKeyOf, maxEmailLength } from '#domain/users/email.ts';
import { maxPasswordLength } from '#domain/users/password.ts';
import type { User } from '#domain/users/user.ts';

/**
 * The input of the login form, the client's address and `User-Agent`, and the id of a browser in which the account has
 * signed in before; null for any other.
 */
type LogInAttempt = Readonly<{
  email: string;
  password: string;
  address: string;
  userAgent: string;
  knownBrowser: string | null;
}>;

/** Why nobody was signed in; `invalid_credentials` does not reveal whether the e-mail or the password was wrong. */
export type LogInFailure = Readonly<{ reason: 'invalid_credentials' }> | RateLimited | PasswordsBusy;

const wrong = err({ reason: 'invalid_credentials' } as const);

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

  /** Returns the session, or why there is none. */
  async run(credentials: LogInAttempt): Promise<Result<SignedIn, LogInFailure>> {
    const email = emailKeyOf(credentials.email);
    const { password, address, userAgent, knownBrowser } = credentials;
    const account = loginCounterOf(email, knownBrowser);
    const emailKey = `${email.slice(0, maxEmailLength)}|${address}`;
    const byAddress = await this.#limits.take('login_address', address);
    if (!byAddress.ok) return byAddress;
    const byEmail = await this.#limits.take('login_email', emailKey);
    if (!byEmail.ok) return byEmail;
    const byAccount = await this.#limits.take('login_account', account);
    if (!byAccount.ok) return byAccount;
    const user = await this.#authenticate(email, password);
    if (!user.ok && user.failure.reason === 'invalid_credentials') return user;
    await this.#limits.giveBack('login_address', address);
    await this.#limits.giveBack('login_account', account);
    if (user.ok) await this.#limits.forget('login_email', emailKey);
    else await this.#limits.giveBack('login_email', emailKey);
    return user.ok ? ok(await this.#beginSession.run(user.value, { begunBy: 'login', userAgent })) : user;
  }

  async #authenticate(email: string, password: string): Promise<Result<User, LogInFailure>> {
    if (email.length > maxEmailLength || password.length > maxPasswordLength) return wrong;
    const found = await this.#users.findByEmail(email);
    const verified = await this.#passwords.verify(found?.passwordHash ?? null, password);
    if (!verified.ok) return verified;
    return verified.value && found !== null && isActive(found.user) ? ok(found.user) : wrong;
  }
}
