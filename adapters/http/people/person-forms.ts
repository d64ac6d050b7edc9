import { refuse } from '#adapters/http/answers/refuse.ts';
import { userOf } from '#adapters/http/middleware/authentication.ts';
import { fieldOf, formFields } from '#adapters/http/requests/form-fields.ts';
import { type FormGuard, formTokenField } from '#adapters/http/requests/form-guard.ts';
import type { RouteContext } from '#adapters/http/route.ts';

type Run = (ctx: RouteContext) => Promise<void>;

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
