import { refuse } from '#adapters/http/answers/refuse.ts';
import { userOf } from '#adapters/http/middleware/authentication.ts';
import { fieldOf, formFields } from '#adapters/http/requests/form-fields.ts';
import { type FormGuard, formTokenField } from '#adapters/http/requests/form-guard.ts';
import type { RouteContext } from '#adapters/http/route.ts';
import { passwordsBusy } from '#adapters/http/sign-in/login-failure.ts';
import { maxPasswordLength, minPasswordLength } from '#domain/users/password.ts';

type Run = (ctx: RouteContext) => Promise<void>;

/** The purpose of the token of the forms on the page /account. */
export const accountPurpose = 'account';

/** The hidden fields of a user's forms for one purpose, bound to the user. */
export function hiddenFor(ctx: RouteContext, formGuard: FormGuard, purpose: string): readonly [string, string][] {
  return [[formTokenField, formGuard.tokenFor(ctx, purpose, [String(userOf(ctx).id)])]];
}

/** Runs the handler if the form was sent from our page in the user's own browser; answers 403 otherwise. */
export function genuine(formGuard: FormGuard, purpose: string, run: Run): Run {
  return async (ctx) => {
    const token = fieldOf(formFields(ctx), formTokenField);
    if (formGuard.isGenuine(ctx, token, purpose, [String(userOf(ctx).id)])) return run(ctx);
    const description = 'This form was made in another browser or for another user. Go back and try again.';
    refuse(ctx, { status: 403, error: 'forbidden', description });
  };
}

/** Redirects to a page of this server after a form (303). */
export function seeOther(ctx: RouteContext, path: string): void {
  ctx.status = 303;
  ctx.set('Location', path);
  ctx.body = '';
}

/** Why a password was not set. */
type Reason = 'wrong_password' | 'rate_limited' | 'busy' | 'unknown_link' | 'password_too_short' | 'password_too_long';

const texts: Readonly<Record<Reason, string>> = {
  wrong_password: 'The current password is wrong. Nothing was changed.',
  rate_limited: 'Too many attempts. Wait a few minutes and try again.',
  busy: passwordsBusy,
  unknown_link: 'This link was already used, or is older than three days. Ask an administrator for a new one.',
  password_too_short: `A password needs at least ${minPasswordLength} characters.`,
  password_too_long: `A password may have at most ${maxPasswordLength} characters.`,
};

/** The sentence for a user whose password was not set. */
export function passwordText(reason: Reason): string {
  return texts[reason];
}
