import { AuthorizePages } from '#adapters/http/oauth/authorize-pages.ts';
import { authorizeRoutes } from '#adapters/http/oauth/authorize-routes.ts';
import { ownResource } from '#adapters/http/oauth/own-resource.ts';
import { registerRoutes } from '#adapters/http/oauth/register-route.ts';
import { setRoutes } from '#adapters/http/oauth/set-route.ts';
import { tokenRoutes } from '#adapters/http/oauth/token-route.ts';
import { wellKnownRoutes } from '#adapters/http/oauth/well-known-routes.ts';
import type { FormGuard } from '#adapters/http/requests/form-guard.ts';
import type { KnownBrowsers } from '#adapters/http/requests/known-browsers.ts';
import type { Route } from '#adapters/http/route.ts';
import { PasswordSignIn } from '#adapters/http/sign-in/password-sign-in.ts';
import { type ProviderWay, providerRoutes } from '#adapters/http/sign-in/provider-routes.ts';
import { signInRoutes } from '#adapters/http/sign-in/sign-in-routes.ts';
import type { SignInWays } from '#adapters/http/sign-in/sign-in-ways.ts';
import type { BeginAuthorization } from '#application/oauth/begin-authorization.ts';
import type { DecideAuthorization } from '#application/oauth/decide-authorization.ts';
import type { ExchangeCode } from '#application/oauth/exchange-code.ts';
import type { RegisterClient } from '#application/oauth/register-client.ts';
import type { Connections } from '#application/ports/connections.ts';
import type { Logger } from '#application/ports/logger.ts';
import type { RateLimits } from '#application/ports/rate-limits.ts';
import type { IdentifyCaller } from '#application/session/identify-caller.ts';
import type { LogIn } from '#application/session/log-in.ts';
import type { RenewSession } from '#application/session/renew-session.ts';
import type { SignOut } from '#application/session/sign-out.ts';
import type { SignOutEverywhere } from '#application/session/sign-out-everywhere.ts';
import type { ServiceNames } from '#domain/services/service-names.ts';

/** The use cases of authorization and sessions. */
export type AuthUseCases = Readonly<{
  registerClient: RegisterClient;
  beginAuthorization: BeginAuthorization;
  decideAuthorization: DecideAuthorization;
  exchangeCode: ExchangeCode;
  logIn: LogIn;
  signOut: SignOut;
  signOutEverywhere: SignOutEverywhere;
  renewSession: RenewSession;
  identifyCaller: IdentifyCaller;
}>;

/** The settings that authorization depends on. */
export type AuthSettings = Readonly<{
  baseUrl: string;
  listensOnLoopback: boolean;
  oauthMetadata: boolean;
  oauthStrict: boolean;
  ways: SignInWays;
  /** Whom people ask who cannot sign in: an e-mail, or 'an administrator'. */
  admin: string;
}>;

type AuthRoutesDependencies = Readonly<{
  useCases: AuthUseCases;
  settings: AuthSettings;
  connections: Pick<Connections, 'overview'>;
  names: ServiceNames;
  limits: RateLimits;
  formGuard: FormGuard;
  knownBrowsers: KnownBrowsers;
  logger: Logger;
  /** Null on a server without an identity provider. */
  provider: ProviderWay | null;
}>;

/** All routes of authorization and sessions: /register, /authorize, /token, the well-knowns, /login, /logout, /set. */
export function authRoutes({
  useCases,
  settings,
  connections,
  names,
  limits,
  formGuard,
  knownBrowsers,
  logger,
  provider,
}: AuthRoutesDependencies): Route[] {
  const { ways, admin } = settings;
  const passwordSignIn = new PasswordSignIn(useCases.logIn, knownBrowsers);
  return [
    ...registerRoutes({
      registerClient: useCases.registerClient,
      rateLimits: limits,
      oauthMetadata: settings.oauthMetadata,
    }),
    ...authorizeRoutes({
      ...useCases,
      passwordSignIn,
      ways,
      services: names.keys,
      pages: new AuthorizePages({ formGuard, connections, names, mcpUrl: `${settings.baseUrl}/message`, ways }),
      logger,
      rateLimits: limits,
      issuer: settings.oauthMetadata ? settings.baseUrl : null,
    }),
    ...tokenRoutes({
      exchangeCode: useCases.exchangeCode,
      rateLimits: limits,
      logger,
      isOwnResource: ownResource(settings),
    }),
    ...wellKnownRoutes({ ...settings, services: names.keys }),
    ...signInRoutes({ ...useCases, passwordSignIn, formGuard, ways }),
    ...providerRoutes({ provider, formGuard, limits, admin }),
    ...setRoutes(useCases),
  ];
}
