import type { AuthSettings, AuthUseCases } from '#adapters/http/oauth/auth-routes.ts';
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
import type { Sessions } from '#application/ports/sessions.ts';
import type { Users } from '#application/ports/users.ts';
import type { BeginSession } from '#application/session/begin-session.ts';
import type { IdentifyCaller } from '#application/session/identify-caller.ts';
import { LogIn } from '#application/session/log-in.ts';
import { RenewSession } from '#application/session/renew-session.ts';
import { SignOut } from '#application/session/sign-out.ts';
import type { SignOutEverywhere } from '#application/session/sign-out-everywhere.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';

/** The ports that authorization and sessions use, and the services of this server. */
type AuthPorts = Readonly<{
  clients: Clients;
  /** Fetches clients' metadata documents; used when OAUTH_METADATA is on. */
  documents: ClientDocuments;
  codes: AuthorizationCodes;
  users: Users;
  sessions: Sessions;
  tokens: SessionTokens;
  grants: Grants;
  passwords: Passwords;
  limits: RateLimits;
  clock: Clock;
  random: Random;
  logger: Logger;
  services: readonly ServiceKey[];
}>;

/** The use cases of sessions that others use too. */
type SessionUseCases = Readonly<{
  identifyCaller: IdentifyCaller;
  beginSession: BeginSession;
  signOutEverywhere: SignOutEverywhere;
}>;

/** The audience of cookies and access tokens (RFC 8707 §2.2); null for none. */
export function audienceOf({ oauthMetadata, baseUrl }: AuthSettings): string | null {
  return oauthMetadata ? baseUrl : null;
}

/** Creates the use cases of authorization and sessions. */
export function authUseCases(ports: AuthPorts, given: SessionUseCases, settings: AuthSettings): AuthUseCases {
  const { clients, documents, codes, sessions, tokens, clock, random, services } = ports;
  const { oauthMetadata, oauthStrict: isStrict } = settings;
  const audience = audienceOf(settings);
  const isOwnResource = ownResource(settings);
  const findClient = new FindClient(clients, oauthMetadata ? documents : null);
  return {
    registerClient: new RegisterClient(clients, clock, random),
    beginAuthorization: new BeginAuthorization(findClient, { isStrict, isOwnResource, readsScope: oauthMetadata }),
    decideAuthorization: new DecideAuthorization(codes, clock, random, services),
    exchangeCode: new ExchangeCode({ ...ports, findClient }, { isStrict, audience }),
    logIn: new LogIn({ ...ports, ...given }),
    signOut: new SignOut(sessions),
    renewSession: new RenewSession({ sessions, tokens, clock, audience }),
    ...given,
  };
}
