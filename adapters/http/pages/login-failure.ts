import type { RouteContext } from '#adapters/http/route.ts';
import type { RateLimited } from '#application/ports/rate-limits.ts';

/** How a page is shown again: its status and the text of its error banner. */
export type LoginFormError = Readonly<{ status: number; banner: string }>;

/** The error for a form whose token is not, or no longer, valid for this browser. */
export const staleForm: LoginFormError = {
  status: 403,
  banner: 'This form was out of date, or was not sent from this page. Please try again.',
};

/**
 * The response to a failed login: the same text for an unknown e-mail and a wrong password. Sets the headers that
 * belong to it.
 */
export function loginFailure(
  ctx: RouteContext,
  failure: Readonly<{ reason: 'invalid_credentials' }> | RateLimited,
): LoginFormError {
  if (failure.reason === 'rate_limited') {
    ctx.set('Retry-After', String(failure.retryAfterS));
    const minutes = Math.ceil(failure.retryAfterS / 60);
    return {
      status: 429,
      banner: `Too many failed tries. Try again in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}.`,
    };
  }
  ctx.set('WWW-Authenticate', 'Bearer realm="portolan"');
  return { status: 401, banner: 'The e-mail or the password is wrong.' };
}
