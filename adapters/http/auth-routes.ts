import { AuthorizePages } from '#adapters/http/oauth/authorize-pages.ts';
import { authorizeRoutes } from '#adapters/http/oauth/authorize-routes.ts';
import { ownResource } from '#adapters/http/oauth/own-resource.ts';
import { registerRoutes } from '#adapters/http/oauth/register-route.ts';
import { setRoutes } from '#adapters/http/oauth/set-route.ts';
import { tokenRoutes } from '#adapters/http/oauth/token-route.ts';
import { wellKnownRoutes } from '#adapters/http/oauth/well-known-routes.ts';
import { signInRoutes } from '#adapters/http/pages/sign-in-routes.ts';
import type { FormGuard } from '#adapters/http/requests/form-guard.ts';
import type { Route } from '#adapters/http/route.ts';
import { BeginAuthorization } from '#application/oauth/begin-authorization.ts';
import { DecideAuthorization } from '#application/oauth/decide-authorization.ts';
import { ExchangeCode } from '#application/oauth/exchange-code.ts';
import { RegisterClient } from '#application/oauth/register-client.ts';
import type { AuthorizationCodes } from '#application/ports/authorization-codes.ts';
import type { Clients } from '#application/ports/clients.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { Connections } from '#application/ports/connections.ts';
import type { Logger } from '#application/ports/logger.ts';
import type { Passwords } from '#application/ports/passwords.ts';
import type { Random } from '#application/ports/random.ts';
import type { RateLimits } from '#application/ports/rate-limits.ts';
import type { SessionTokens } from '#application/ports/session-tokens.ts';
import type { Users } from '#application/ports/users.ts';
import type { IdentifyCaller } from '#application/session/identify-caller.ts';
import { LogIn } from '#application/session/log-in.ts';
import { SignOutEverywhere } from '#application/session/sign-out-everywhere.ts';
import { StartSession } from '#application/session/start-session.ts';
import type { ServiceNames } from '#domain/services/service-names.ts';

/** The ports that authorization and sessions use. */
export type AuthPorts = Readonly<{
  clients: Clients;
  codes: AuthorizationCodes;
  users: Users;
  tokens: SessionTokens;
  passwords: Passwords;
  limits: RateLimits;
  clock: Clock;
  random: Random;
  logger: Logger;
}>;

/** The settings that authorization depends on. */
export type AuthSettings = Readonly<{
  baseUrl: string;
  listensOnLoopback: boolean;
  oauthMetadata: boolean;
  oauthStrict: boolean;
}>;

/** All routes of authorization and sessions: /register, /authorize, /token, the well-knowns, /login, /logout, /set. */
export function authRoutes({
  ports,
  settings,
  connections,
  names,
  identifyCaller,
  formGuard,
}: Readonly<{
  ports: AuthPorts;
  settings: AuthSettings;
  connections: Pick<Connections, 'overview'>;
  names: ServiceNames;
  identifyCaller: IdentifyCaller;
  formGuard: FormGuard;
}>): Route[] {
  const { clients, codes, users, tokens, limits, clock, random, logger } = ports;
  const isOwnResource = ownResource(settings);
  const logIn = new LogIn(ports);
  return [
    ...registerRoutes({
      registerClient: new RegisterClient(clients, clock, random),
      rateLimits: limits,
      oauthMetadata: settings.oauthMetadata,
    }),
    ...authorizeRoutes({
      beginAuthorization: new BeginAuthorization(clients, { isStrict: settings.oauthStrict, isOwnResource }),
      decideAuthorization: new DecideAuthorization(codes, clock, random),
      logIn,
      identifyCaller,
      pages: new AuthorizePages({ formGuard, connections, names, mcpUrl: `${settings.baseUrl}/message` }),
      logger,
      issuer: settings.oauthMetadata ? settings.baseUrl : null,
    }),
    ...tokenRoutes({
      exchangeCode: new ExchangeCode(ports, settings.oauthStrict),
      rateLimits: limits,
      logger,
      isOwnResource,
    }),
    ...wellKnownRoutes(settings),
    ...signInRoutes({ logIn, signOutEverywhere: new SignOutEverywhere(users, clock), identifyCaller, formGuard }),
    ...setRoutes({ startSession: new StartSession(tokens, clock), identifyCaller }),
  ];
}
