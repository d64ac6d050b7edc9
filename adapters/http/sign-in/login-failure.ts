import type { RouteContext } from '#adapters/http/route.ts';
import type { LogInFailure } from '#application/session/log-in.ts';

/** How a page is shown again: its status and the text of its error banner. */
type LoginFormError = Readonly<{ status: number; banner: string }>;

/** The error for a form whose token is not, or no longer, valid for this browser. */
export const staleForm: LoginFormError = {
  status: 403,
  banner: 'This form has expired or was not sent from this page. Please try again.',
};

/** The sentence for a user whose password was not verified, since many others wait for that. */
export const passwordsBusy = 'Many people are signing in at the moment. Try again in a few seconds.';

/**
 * The response to a failed login: the same text for an unknown e-mail and a wrong password. Sets the headers that
 * belong to it.
 */
export function loginFailure(ctx: RouteContext, failure: LogInFailure): LoginFormError {
  if (failure.reason === 'busy') {
    ctx.set('Retry-After', String(failure.retryAfterS));
    return { status: 503, banner: passwordsBusy };
  }
  if (failure.reason === 'rate_limited') {
    ctx.set('Retry-After', String(failure.retryAfterS));
    return { status: 429, banner: `Too many failed attempts. ${whenToTry(failure.retryAfterS)}` };
  }
  ctx.set('WWW-Authenticate', 'Bearer realm="portolan"');
  return { status: 401, banner: 'The e-mail or the password is wrong.' };
}

/** Says when to try again. Only the limit of an account is long, which other browsers have reached. */
function whenToTry(retryAfterS: number): string {
  const minutes = Math.ceil(retryAfterS / 60);
  if (minutes === 1) return 'Try again in a minute.';
  if (minutes <= 60) return `Try again in ${minutes} minutes.`;
  return `Try again in ${Math.ceil(minutes / 60)} hours, or in a browser in which you have signed in before, or ask an administrator for a password link.`;
}
