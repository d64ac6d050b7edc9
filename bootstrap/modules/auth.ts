import { ContainerModule } from 'inversify';
import { FetchedClientDocuments } from '#adapters/client-documents/fetched-client-documents.ts';
import { type AuthSettings, authRoutes } from '#adapters/http/oauth/auth-routes.ts';
import { FormGuard } from '#adapters/http/requests/form-guard.ts';
import { KnownBrowsers } from '#adapters/http/requests/known-browsers.ts';
import { CachedSessionTokens } from '#adapters/memory/cached-session-tokens.ts';
import { BeginSession } from '#application/session/begin-session.ts';
import { IdentifyCaller } from '#application/session/identify-caller.ts';
import { SignOutEverywhere } from '#application/session/sign-out-everywhere.ts';
import { AutomationUser } from '#application/users/automation-user.ts';
import { audienceOf, authUseCases } from '#bootstrap/modules/auth-use-cases.ts';
import type { Runtime } from '#bootstrap/modules/runtime.ts';
import { tokens } from '#bootstrap/modules/tokens.ts';
import { Argon2Passwords } from '#infrastructure/crypto/argon2-passwords.ts';
import { deriveKey } from '#infrastructure/crypto/derive-key.ts';
import { JweSessionTokens } from '#infrastructure/crypto/jwe-session-tokens.ts';

/** Binds users, sessions and authorization. Cookie and bearer token share one key and salt (SESS-002). */
export const auth = new ContainerModule(({ bind }) => {
  const passwords = new Argon2Passwords();
  void passwords.warmUp();
  bind(tokens.users).toResolvedValue(({ users }) => users, [tokens.stores]);
  bind(tokens.automationUser)
    .toResolvedValue(
      ({ settings }, users) => new AutomationUser(settings.AUTOMATION_USER_ID, users),
      [tokens.runtime, tokens.users],
    )
    .inSingletonScope();
  bind(tokens.personSessions).toResolvedValue(({ sessions }) => sessions, [tokens.stores]);
  bind(tokens.appGrants).toResolvedValue(({ grants }) => grants, [tokens.stores]);
  bind(tokens.passwords).toConstantValue(passwords);
  bind(tokens.sessionTokens)
    .toResolvedValue(
      ({ secrets }) =>
        new CachedSessionTokens(new JweSessionTokens(secrets.map((secret) => deriveKey(secret, 'session')))),
      [tokens.runtime],
    )
    .inSingletonScope();
  bind(tokens.clients).toResolvedValue(({ clients }) => clients, [tokens.stores]);
  bind(tokens.codes).toResolvedValue(({ authorizationCodes }) => authorizationCodes, [tokens.stores]);
  bind(tokens.rateLimits).toResolvedValue(({ rateLimits }) => rateLimits, [tokens.stores]);
  bind(tokens.identifyCaller)
    .toResolvedValue(
      (sealed, users, sessions, grants, clock, { keys: services }, { baseUrl, formerCookiesUntil }) =>
        new IdentifyCaller(
          { tokens: sealed, users, sessions, grants, clock },
          { services, baseUrl, formerCookiesUntil },
        ),
      [
        tokens.sessionTokens,
        tokens.users,
        tokens.personSessions,
        tokens.appGrants,
        tokens.clock,
        tokens.serviceNames,
        tokens.runtime,
      ],
    )
    .inSingletonScope();
  bind(tokens.beginSession)
    .toResolvedValue(
      (sessions, sealed, random, clock, runtime) =>
        new BeginSession({ sessions, tokens: sealed, random, clock, audience: audienceOf(authSettings(runtime)) }),
      [tokens.personSessions, tokens.sessionTokens, tokens.random, tokens.clock, tokens.runtime],
    )
    .inSingletonScope();
  bind(tokens.signOutEverywhere)
    .toResolvedValue(
      (users, sessions, grants, clock) => new SignOutEverywhere({ users, sessions, grants, clock }),
      [tokens.users, tokens.personSessions, tokens.appGrants, tokens.clock],
    )
    .inSingletonScope();
  bind(tokens.formGuard)
    .toResolvedValue(
      ({ secrets, baseUrl }, random) =>
        new FormGuard(
          secrets.map((secret) => deriveKey(secret, 'forms')),
          random,
          baseUrl,
        ),
      [tokens.runtime, tokens.random],
    )
    .inSingletonScope();
  bind(tokens.knownBrowsers)
    .toResolvedValue(
      ({ secrets, baseUrl }, random) =>
        new KnownBrowsers(
          secrets.map((secret) => deriveKey(secret, 'known browsers')),
          random,
          baseUrl,
        ),
      [tokens.runtime, tokens.random],
    )
    .inSingletonScope();
  bind(tokens.authUseCases)
    .toResolvedValue(
      (
        clients,
        codes,
        users,
        sessions,
        sealed,
        grants,
        passwords,
        limits,
        clock,
        random,
        logger,
        { keys },
        identifyCaller,
        beginSession,
        signOutEverywhere,
        runtime,
        http,
      ) => {
        // Client documents are at URLs that anybody may submit, so the reach for user-supplied URLs applies.
        const reach = runtime.settings.PRIVATE_ADDRESSES ? 'private' : 'public';
        const documents = new FetchedClientDocuments(http.within(reach), clock);
        const stored = { clients, documents, codes, users, sessions, tokens: sealed, grants, passwords, limits };
        const ports = { ...stored, clock, random, logger, services: keys };
        const given = { identifyCaller, beginSession, signOutEverywhere };
        return authUseCases(ports, given, authSettings(runtime));
      },
      [
        tokens.clients,
        tokens.codes,
        tokens.users,
        tokens.personSessions,
        tokens.sessionTokens,
        tokens.appGrants,
        tokens.passwords,
        tokens.rateLimits,
        tokens.clock,
        tokens.random,
        tokens.logger,
        tokens.serviceNames,
        tokens.identifyCaller,
        tokens.beginSession,
        tokens.signOutEverywhere,
        tokens.runtime,
        tokens.http,
      ],
    )
    .inSingletonScope();
  bind(tokens.authRoutes)
    .toResolvedValue(
      (useCases, connections, names, limits, formGuard, knownBrowsers, logger, runtime) => {
        const settings = authSettings(runtime);
        return authRoutes({ useCases, connections, names, limits, formGuard, knownBrowsers, logger, settings });
      },
      [
        tokens.authUseCases,
        tokens.connections,
        tokens.serviceNames,
        tokens.rateLimits,
        tokens.formGuard,
        tokens.knownBrowsers,
        tokens.logger,
        tokens.runtime,
      ],
    )
    .inSingletonScope();
});

function authSettings({ settings, baseUrl, listensOnLoopback }: Runtime): AuthSettings {
  return { baseUrl, listensOnLoopback, oauthMetadata: settings.OAUTH_METADATA, oauthStrict: settings.OAUTH_STRICT };
}
