import { userOf } from '#adapters/http/middleware/authentication.ts';
import { fieldOf, formFields } from '#adapters/http/requests/form-fields.ts';
import type { KnownBrowsers } from '#adapters/http/requests/known-browsers.ts';
import { addressOf } from '#adapters/http/requests/rate-limit.ts';
import { setSessionCookie } from '#adapters/http/requests/session-cookie.ts';
import type { RouteContext } from '#adapters/http/route.ts';
import { loginFailure } from '#adapters/http/sign-in/login-failure.ts';
import { passwordsOff, type SignInWays } from '#adapters/http/sign-in/sign-in-ways.ts';
import type { RecentSignIn } from '#application/session/recent-sign-in.ts';

/** What signing in again needs. */
export type SignInAgainDependencies = Readonly<{
  recent: Pick<RecentSignIn, 'again'>;
  knownBrowsers: KnownBrowsers;
  ways: SignInWays;
}>;

/**
 * Signs the person of the page in again by the form's password, without leaving it. Null when it is done; else the status
 * and the text with which the page is shown again.
 */
export async function signInAgain(
  ctx: RouteContext,
  { recent, knownBrowsers, ways }: SignInAgainDependencies,
): Promise<Readonly<{ status: number; text: string }> | null> {
  if (!ways.passwords) return { status: passwordsOff.status, text: passwordsOff.banner };
  const user = userOf(ctx);
  const signedIn = await recent.again(user, {
    password: fieldOf(formFields(ctx), 'password'),
    address: addressOf(ctx),
    userAgent: ctx.get('User-Agent'),
    knownBrowser: knownBrowsers.find(ctx, user.email),
  });
  if (!signedIn.ok) {
    const { status, banner } = loginFailure(ctx, signedIn.failure);
    return { status, text: signedIn.failure.reason === 'rate_limited' ? banner : 'The password is wrong.' };
  }
  setSessionCookie(ctx, signedIn.value.token);
  return null;
}
