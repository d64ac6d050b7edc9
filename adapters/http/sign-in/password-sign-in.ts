import { fieldOf, formFields } from '#adapters/http/requests/form-fields.ts';
import type { KnownBrowsers } from '#adapters/http/requests/known-browsers.ts';
import { addressOf } from '#adapters/http/requests/rate-limit.ts';
import { setSessionCookie } from '#adapters/http/requests/session-cookie.ts';
import type { RouteContext } from '#adapters/http/route.ts';
import type { SignedIn } from '#application/session/begin-session.ts';
import type { LogIn, LogInFailure } from '#application/session/log-in.ts';
import type { Result } from '#domain/shared/result.ts';

/** Signs a person in with the fields of a login form; sets the cookie of their session. */
export class PasswordSignIn {
  readonly #logIn: LogIn;
  readonly #knownBrowsers: KnownBrowsers;

  constructor(logIn: LogIn, knownBrowsers: KnownBrowsers) {
    this.#logIn = logIn;
    this.#knownBrowsers = knownBrowsers;
  }

  /** Returns the session, or why there is none. */
  async run(ctx: RouteContext): Promise<Result<SignedIn, LogInFailure>> {
    const fields = formFields(ctx);
    const email = fieldOf(fields, 'email');
    const signedIn = await this.#logIn.run({
      email,
      password: fieldOf(fields, 'password'),
      address: addressOf(ctx),
      userAgent: ctx.get('User-Agent'),
      knownBrowser: this.#knownBrowsers.find(ctx, email),
    });
    if (!signedIn.ok) return signedIn;
    this.#knownBrowsers.remember(ctx, email);
    setSessionCookie(ctx, signedIn.value.token);
    return signedIn;
  }
}
