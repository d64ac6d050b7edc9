import { showMessage } from '#adapters/http/answers/show-page.ts';
import { userOf, visitorOf } from '#adapters/http/middleware/authentication.ts';
import { accountPurpose, genuine, seeOther } from '#adapters/http/people/person-forms.ts';
import { fieldOf, formFields } from '#adapters/http/requests/form-fields.ts';
import type { FormGuard } from '#adapters/http/requests/form-guard.ts';
import { isWithinLimit } from '#adapters/http/requests/rate-limit.ts';
import { setSessionCookie } from '#adapters/http/requests/session-cookie.ts';
import type { Route, RouteContext } from '#adapters/http/route.ts';
import { failurePage } from '#adapters/http/sign-in/provider-failure.ts';
import { homePath } from '#adapters/http/sign-in/sign-in-routes.ts';
import { providerPath } from '#adapters/http/sign-in/sign-in-ways.ts';
import type { RateLimits } from '#application/ports/rate-limits.ts';
import type { LinkIdentity } from '#application/sign-in/link-identity.ts';
import type { ProviderSignIn, SignInFailure } from '#application/sign-in/provider-sign-in.ts';
import { shortLifetimeS } from '#domain/sessions/person-session.ts';

/** Sign-in by the identity provider; null on a server without one, where its routes say so. */
export type ProviderWay = Readonly<{ signIn: ProviderSignIn; linkIdentity: LinkIdentity }>;

type ProviderRoutesDependencies = Readonly<{
  provider: ProviderWay | null;
  formGuard: FormGuard;
  limits: RateLimits;
  /** Whom people ask: an e-mail, or 'an administrator'. */
  admin: string;
}>;

/** What the browser of a pending sign-in is identified for. */
const purpose = 'oidc';

/**
 * Serves /login/oidc, which sends the browser to the identity provider, and where it comes back; and the forms of
 * /account that link and unlink an identity (OIDC-001 to OIDC-016). The query of /login/oidc is that of an
 * authorization request, which goes on afterwards, or names the service whose page at /setup asked to sign in again; no
 * other address is taken from the request.
 */
export function providerRoutes(dependencies: ProviderRoutesDependencies): readonly Route[] {
  const { formGuard } = dependencies;
  const get = { method: 'GET', who: 'visitor', body: 'none' } as const;
  const form = { method: 'POST', who: 'person', body: 'form' } as const;
  return [
    { ...get, path: providerPath, run: (ctx) => begin(ctx, dependencies) },
    { ...get, path: `${providerPath}/callback`, run: (ctx) => finish(ctx, dependencies) },
    { ...form, path: '/account/link', run: genuine(formGuard, accountPurpose, (ctx) => link(ctx, dependencies)) },
    { ...form, path: '/account/unlink', run: genuine(formGuard, accountPurpose, (ctx) => unlink(ctx, dependencies)) },
  ];
}

async function begin(ctx: RouteContext, dependencies: ProviderRoutesDependencies): Promise<void> {
  const { provider, formGuard, limits } = dependencies;
  if (provider === null) return notSetUp(ctx);
  if (!(await isWithinLimit(ctx, limits, 'sign_in'))) return;
  const asked = new URLSearchParams(ctx.querystring);
  const asksWho = asked.get('prompt') === 'login';
  // The page of the authorization would ask again.
  asked.delete('prompt');
  const authorize = asked.size === 0 ? null : asked.toString();
  const browser = formGuard.tokenFor(ctx, purpose, []);
  const url = await provider.signIn.begin({ browser, authorize, asksWho, linksTo: null });
  if (!url.ok) return failed(ctx, dependencies, url.failure);
  ctx.status = 302;
  ctx.set('Location', url.value);
  ctx.body = '';
}

async function finish(ctx: RouteContext, dependencies: ProviderRoutesDependencies): Promise<void> {
  const { provider, formGuard, limits } = dependencies;
  if (provider === null) return notSetUp(ctx);
  if (!(await isWithinLimit(ctx, limits, 'sign_in'))) return;
  const finished = await provider.signIn.finish({
    browser: formGuard.tokenFor(ctx, purpose, []),
    query: new URLSearchParams(ctx.querystring),
    visitor: visitorOf(ctx)?.user ?? null,
    userAgent: ctx.get('User-Agent'),
  });
  if (!finished.ok) return failed(ctx, dependencies, finished.failure);
  if (finished.value.kind === 'linked') return seeOther(ctx, '/account?done=linked');
  const { signedIn, authorize } = finished.value;
  setSessionCookie(ctx, signedIn.token, shortLifetimeS);
  seeOther(ctx, authorize === null ? homePath : (setupPageIn(authorize) ?? `/authorize?${authorize}`));
}

/** The page at /setup that asked an administrator to sign in again; null when an authorization goes on. */
function setupPageIn(asked: string): string | null {
  const query = new URLSearchParams(asked);
  const [service, vendor] = [query.get('setup') ?? '', query.get('vendor') ?? ''];
  const isPlace = query.size === 2 && [service, vendor].every((name) => /^[a-z][a-z0-9_-]{0,60}$/.test(name));
  return isPlace ? `/setup/${service}?vendor=${vendor}#enter` : null;
}

/** Answers the form with a page that redirects at once: its policy forbids forms that lead elsewhere. */
async function link(ctx: RouteContext, dependencies: ProviderRoutesDependencies): Promise<void> {
  const { provider, formGuard } = dependencies;
  if (provider === null) return notSetUp(ctx);
  const browser = formGuard.tokenFor(ctx, purpose, []);
  const begun = { browser, authorize: null, asksWho: true, linksTo: userOf(ctx) };
  const url = await provider.signIn.begin(begun);
  if (!url.ok) return failed(ctx, dependencies, url.failure);
  ctx.set('Refresh', `0; url=${url.value}`);
  const title = 'Continue to single sign-on';
  const text = 'You sign in there and come back.';
  showMessage(ctx, 200, { title, text, link: { href: url.value, text: 'Continue' } });
}

async function unlink(ctx: RouteContext, { provider }: ProviderRoutesDependencies): Promise<void> {
  if (provider === null) return notSetUp(ctx);
  const unlinked = await provider.linkIdentity.unlink(userOf(ctx), fieldOf(formFields(ctx), 'identity'));
  const done = unlinked.ok ? 'unlinked' : unlinked.failure.reason === 'last_way_in' ? 'last-way-in' : 'not-linked';
  seeOther(ctx, `/account?done=${done}`);
}

function failed(ctx: RouteContext, { admin }: ProviderRoutesDependencies, failure: SignInFailure): void {
  const { status, title, text } = failurePage(failure, admin);
  const link = ctx.path.startsWith('/account') ? { href: '/account', text: 'Your account' } : wayOn(failure);
  showMessage(ctx, status, { title, text, link });
}

/** Where somebody goes on who was not signed in: to another account at the provider, if it is theirs that was refused. */
function wayOn(failure: SignInFailure): Readonly<{ href: string; text: string }> {
  const isTheirs = 'email' in failure && failure.reason !== 'busy';
  return isTheirs ? { href: `${providerPath}?prompt=login`, text: 'Use another account' } : signInLink;
}

const signInLink = { href: '/login', text: 'Sign in' };

function notSetUp(ctx: RouteContext): void {
  const text = 'This server has no identity provider. Sign in with your e-mail and password.';
  showMessage(ctx, 404, { title: 'There is no single sign-on here', text, link: signInLink });
}
