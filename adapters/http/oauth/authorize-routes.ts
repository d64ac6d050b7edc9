import { visitorOf } from '#adapters/http/middleware/authentication.ts';
import { requestIdOf } from '#adapters/http/middleware/every-answer.ts';
import { accessChoice, sameForAll } from '#adapters/http/oauth/access-fields.ts';
import { askChoice, rawAuthorization } from '#adapters/http/oauth/authorization-fields.ts';
import type { AuthorizePages } from '#adapters/http/oauth/authorize-pages.ts';
import { fieldOf, formFields } from '#adapters/http/requests/form-fields.ts';
import { formTokenField } from '#adapters/http/requests/form-guard.ts';
import { isWithinLimit } from '#adapters/http/requests/rate-limit.ts';
import type { Route, RouteContext } from '#adapters/http/route.ts';
import { loginFailure, staleForm } from '#adapters/http/sign-in/login-failure.ts';
import type { PasswordSignIn } from '#adapters/http/sign-in/password-sign-in.ts';
import { passwordsOff, type SignInWays } from '#adapters/http/sign-in/sign-in-ways.ts';
import type { BeginAuthorization } from '#application/oauth/begin-authorization.ts';
import type { DecideAuthorization } from '#application/oauth/decide-authorization.ts';
import type { Logger } from '#application/ports/logger.ts';
import type { RateLimits } from '#application/ports/rate-limits.ts';
import type { AuthorizationRequest, PageError, RedirectError } from '#domain/oauth/authorization-request.ts';
import { isDocumentAddress } from '#domain/oauth/client-document.ts';
import { type AccessLevel, choiceOfScope, chooseGrant, type GrantChoice, scopeWords } from '#domain/oauth/grant.ts';
import { withParameters } from '#domain/oauth/redirect-uri.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import { ok } from '#domain/shared/result.ts';

/** The dependencies of `/authorize`. `issuer` is added to redirects (RFC 9207); null when metadata is off. */
type AuthorizeDependencies = Readonly<{
  beginAuthorization: BeginAuthorization;
  /** The services of this server. */
  services: readonly ServiceKey[];
  decideAuthorization: DecideAuthorization;
  passwordSignIn: PasswordSignIn;
  ways: SignInWays;
  pages: AuthorizePages;
  logger: Logger;
  rateLimits: RateLimits;
  issuer: string | null;
}>;

const shown = { status: 200, banner: null };
const noService = { status: 400, banner: 'Choose at least one service, or deny.' };
/** The buttons that choose one level for all services, after which the page is shown again. */
const levelsForAll: ReadonlyMap<string, AccessLevel> = new Map([
  ['all_full', 'full'],
  ['all_read', 'read'],
  ['all_off', 'off'],
]);

/** Serves GET and POST /authorize: login page, consent page, and the redirect back to the client. */
export function authorizeRoutes(dependencies: AuthorizeDependencies): Route[] {
  const get = async (ctx: RouteContext): Promise<void> => {
    const begun = await begin(ctx, dependencies, new URLSearchParams(ctx.querystring));
    if (begun === null) return;
    if (!begun.ok) return answerError(ctx, dependencies, begun.failure);
    const caller = begun.value.wantsLogin ? null : visitorOf(ctx);
    if (caller === null) return dependencies.pages.showLogin(ctx, begun.value, shown);
    const choice = firstChoice(begun.value, dependencies.services);
    return dependencies.pages.showConsent(ctx, { request: begun.value, caller, showing: shown, choice });
  };
  const post = async (ctx: RouteContext): Promise<void> => {
    const fields = formFields(ctx);
    const begun = await begin(ctx, dependencies, fields);
    if (begun === null) return;
    if (!begun.ok) return answerError(ctx, dependencies, begun.failure);
    if (fields.has('decision')) return decide(ctx, dependencies, begun.value);
    return signIn(ctx, dependencies, begun.value);
  };
  const route = { path: '/authorize', who: 'visitor' as const };
  return [
    { ...route, method: 'GET', body: 'none', run: get },
    { ...route, method: 'POST', body: 'form', run: post },
  ];
}

/**
 * Checks the request; null when it was answered with 429. Requests that fetch a client's document count against the
 * same limit as registrations (REG-015).
 */
async function begin(
  ctx: RouteContext,
  { beginAuthorization, rateLimits, issuer }: AuthorizeDependencies,
  fields: URLSearchParams,
) {
  const readsDocument = issuer !== null && isDocumentAddress(fields.get('client_id') ?? '');
  if (readsDocument && !(await isWithinLimit(ctx, rateLimits, 'register'))) return null;
  return beginAuthorization.run(rawAuthorization(fields));
}

/** The preselected choice: what the client asks for, and no more; everything for one that asks for nothing known. */
function firstChoice({ scope }: AuthorizationRequest, all: readonly ServiceKey[]): GrantChoice {
  return (scope === null ? null : choiceOfScope(scope, all)) ?? sameForAll('full', all);
}

async function signIn(
  ctx: RouteContext,
  dependencies: AuthorizeDependencies,
  request: AuthorizationRequest,
): Promise<void> {
  if (!dependencies.ways.passwords) return dependencies.pages.showLogin(ctx, request, passwordsOff);
  const fields = formFields(ctx);
  const email = fieldOf(fields, 'email');
  if (!dependencies.pages.isLoginGenuine(ctx, fieldOf(fields, formTokenField))) {
    return dependencies.pages.showLogin(ctx, request, { ...staleForm, email });
  }
  const signedIn = await dependencies.passwordSignIn.run(ctx);
  if (!signedIn.ok)
    return dependencies.pages.showLogin(ctx, request, { ...loginFailure(ctx, signedIn.failure), email });
  dependencies.logger.info({ requestId: requestIdOf(ctx), userId: signedIn.value.user.id }, 'Signed in');
  const choice = firstChoice(request, dependencies.services);
  return dependencies.pages.showConsent(ctx, { request, caller: signedIn.value, showing: shown, choice });
}

async function decide(
  ctx: RouteContext,
  dependencies: AuthorizeDependencies,
  request: AuthorizationRequest,
): Promise<void> {
  const fields = formFields(ctx);
  const caller = visitorOf(ctx);
  if (caller === null)
    return dependencies.pages.showLogin(ctx, request, { status: 401, banner: 'Please sign in again.' });
  const decision = fieldOf(fields, 'decision');
  const { services, pages } = dependencies;
  const first = firstChoice(request, services);
  const level = levelsForAll.get(decision);
  const isKnown = decision === 'allow' || decision === 'deny' || level !== undefined;
  if (!isKnown || !pages.isConsentGenuine(ctx, fieldOf(fields, formTokenField), request, caller)) {
    // Whatever such a form chooses may be somebody else's choice.
    return pages.showConsent(ctx, { request, caller, showing: staleForm, choice: first });
  }
  const ask = askChoice(fields);
  if (level !== undefined) {
    return pages.showConsent(ctx, { request, caller, showing: shown, choice: sameForAll(level, services), ask });
  }
  const choice = accessChoice(fields, services) ?? first;
  const granted = decision === 'allow' ? chooseGrant(caller.user, choice, services) : ok(null);
  if (!granted.ok) return pages.showConsent(ctx, { request, caller, showing: noService, choice, ask });
  const grant = granted.value;
  const allowed = grant === null ? null : { grant, ask };
  const decided = await dependencies.decideAuthorization.run(request, caller.user.id, allowed);
  const [requestId, userId, clientId] = [requestIdOf(ctx), caller.user.id, request.client.id];
  dependencies.logger.info(
    { requestId, userId, clientId, isAllowed: grant !== null, scope: grant === null ? null : scopeWords(grant), ask },
    'Access decided',
  );
  return goBack(ctx, dependencies, request, decided);
}

function answerError(ctx: RouteContext, dependencies: AuthorizeDependencies, error: PageError | RedirectError): void {
  if (error.show === 'page') dependencies.pages.showError(ctx, error);
  else goBack(ctx, dependencies, error, { error: error.error, error_description: error.description });
}

/** Redirects without Koa, which would rewrite the address; it must be sent exactly as registered. */
function goBack(
  ctx: RouteContext,
  { issuer }: AuthorizeDependencies,
  { redirectUri, state }: Readonly<{ redirectUri: string; state: string | null }>,
  parameters: Readonly<Record<string, string>>,
): void {
  ctx.status = 302;
  ctx.set('Location', withParameters(redirectUri, { ...parameters, state, iss: issuer }));
  ctx.type = 'text/plain; charset=utf-8';
  ctx.body = 'Redirecting to the app.';
}
