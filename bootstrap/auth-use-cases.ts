import type { AuthSettings, AuthUseCases } from '#adapters/http/auth-routes.ts';
import { ownResource } from '#adapters/http/oauth/own-resource.ts';
import { BeginAuthorization } from '#application/oauth/begin-authorization.ts';
import { DecideAuthorization } from '#application/oauth/decide-authorization.ts';
import { ExchangeCode } from '#application/oauth/exchange-code.ts';
import { FindClient } from '#application/oauth/find-client.ts';
import { RegisterClient } from '#application/oauth/register-client.ts';
import type { AuthorizationCodes } from '#application/ports/authorization-codes.ts';
import type { ClientDocuments } from '#application/ports/client-documents.ts';
import type { Clients } from '#application/ports/clients.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { Grants } from '#application/ports/grants.ts';
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
import type { ServiceKey } from '#domain/services/service-key.ts';

/** The ports that authorization and sessions use, and the services of this server. */
export type AuthPorts = Readonly<{
  clients: Clients;
  /** Fetches clients' metadata documents; used when OAUTH_METADATA is on. */
  documents: ClientDocuments;
  codes: AuthorizationCodes;
  users: Users;
  tokens: SessionTokens;
  grants: Grants;
  passwords: Passwords;
  limits: RateLimits;
  clock: Clock;
  random: Random;
  logger: Logger;
  services: readonly ServiceKey[];
}>;

/** Creates the use cases of authorization and sessions. */
export function authUseCases(ports: AuthPorts, identifyCaller: IdentifyCaller, settings: AuthSettings): AuthUseCases {
  const { clients, documents, codes, users, tokens, clock, random, services } = ports;
  const { baseUrl, oauthMetadata, oauthStrict: isStrict } = settings;
  const isOwnResource = ownResource(settings);
  const findClient = new FindClient(clients, oauthMetadata ? documents : null);
  return {
    registerClient: new RegisterClient(clients, clock, random),
    beginAuthorization: new BeginAuthorization(findClient, { isStrict, isOwnResource, readsScope: oauthMetadata }),
    decideAuthorization: new DecideAuthorization(codes, clock, random, services),
    exchangeCode: new ExchangeCode({ ...ports, findClient }, { isStrict, audience: oauthMetadata ? baseUrl : null }),
    logIn: new LogIn(ports),
    signOutEverywhere: new SignOutEverywhere(users, clock),
    startSession: new StartSession(tokens, clock),
    identifyCaller,
  };
}
