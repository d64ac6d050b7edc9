import { ContainerModule, type ResolutionContext } from 'inversify';
import { FetchedClientDocuments } from '#adapters/client-documents/fetched-client-documents.ts';
import { type AuthSettings, type AuthUseCases, authRoutes } from '#adapters/http/oauth/auth-routes.ts';
import { FormGuard } from '#adapters/http/requests/form-guard.ts';
import { KnownBrowsers } from '#adapters/http/requests/known-browsers.ts';
import type { SignInWays } from '#adapters/http/sign-in/sign-in-ways.ts';
import { CachedSessionTokens } from '#adapters/memory/cached-session-tokens.ts';
import { BeginSession } from '#application/session/begin-session.ts';
import { IdentifyCaller } from '#application/session/identify-caller.ts';
import { SignOutEverywhere } from '#application/session/sign-out-everywhere.ts';
import { AutomationUser } from '#application/users/automation-user.ts';
import type { Settings } from '#bootstrap/config/settings.ts';
import { audienceOf, authUseCases } from '#bootstrap/modules/auth-use-cases.ts';
import { type Runtime, tokens } from '#bootstrap/modules/tokens.ts';
import { Argon2Passwords } from '#infrastructure/crypto/argon2-passwords.ts';
import { deriveKey } from '#infrastructure/crypto/derive-key.ts';
import { JweSessionTokens } from '#infrastructure/crypto/jwe-session-tokens.ts';
import { HttpClient } from '#infrastructure/http/http-client.ts';

/** Binds users, sessions and authorization. Cookie and bearer token share one key and salt (SESS-002). */
export const auth = new ContainerModule(({ bind }) => {
  const passwords = new Argon2Passwords();
  void passwords.warmUp();
  bind(tokens.users).toDynamicValue((on) => on.get(tokens.stores).users);
  bind(AutomationUser).toDynamicValue(
    (on) => new AutomationUser(on.get(tokens.runtime).settings.AUTOMATION_USER_ID, on.get(tokens.users)),
  );
  bind(tokens.personSessions).toDynamicValue((on) => on.get(tokens.stores).sessions);
  bind(tokens.appGrants).toDynamicValue((on) => on.get(tokens.stores).grants);
  bind(tokens.passwords).toConstantValue(passwords);
  bind(tokens.sessionTokens).toDynamicValue(
    (on) =>
      new CachedSessionTokens(
        new JweSessionTokens(on.get(tokens.runtime).secrets.map((secret) => deriveKey(secret, 'session'))),
      ),
  );
  bind(tokens.clients).toDynamicValue((on) => on.get(tokens.stores).clients);
  bind(tokens.codes).toDynamicValue((on) => on.get(tokens.stores).authorizationCodes);
  bind(tokens.rateLimits).toDynamicValue((on) => on.get(tokens.stores).rateLimits);
  bind(IdentifyCaller).toDynamicValue((on) => {
    const { baseUrl, formerCookiesUntil } = on.get(tokens.runtime);
    return new IdentifyCaller(
      {
        tokens: on.get(tokens.sessionTokens),
        users: on.get(tokens.users),
        sessions: on.get(tokens.personSessions),
        grants: on.get(tokens.appGrants),
        clock: on.get(tokens.clock),
      },
      { services: on.get(tokens.serviceNames).keys, baseUrl, formerCookiesUntil },
    );
  });
  bind(BeginSession).toDynamicValue(
    (on) =>
      new BeginSession({
        sessions: on.get(tokens.personSessions),
        tokens: on.get(tokens.sessionTokens),
        random: on.get(tokens.random),
        clock: on.get(tokens.clock),
        audience: audienceOf(authSettings(on.get(tokens.runtime))),
      }),
  );
  bind(SignOutEverywhere).toDynamicValue(
    (on) =>
      new SignOutEverywhere({
        users: on.get(tokens.users),
        sessions: on.get(tokens.personSessions),
        grants: on.get(tokens.appGrants),
        clock: on.get(tokens.clock),
      }),
  );
  bind(FormGuard).toDynamicValue((on) => {
    const { secrets, baseUrl } = on.get(tokens.runtime);
    return new FormGuard(
      secrets.map((secret) => deriveKey(secret, 'forms')),
      on.get(tokens.random),
      baseUrl,
    );
  });
  bind(KnownBrowsers).toDynamicValue((on) => {
    const { secrets, baseUrl } = on.get(tokens.runtime);
    return new KnownBrowsers(
      secrets.map((secret) => deriveKey(secret, 'known browsers')),
      on.get(tokens.random),
      baseUrl,
    );
  });
  bind(tokens.authRoutes).toDynamicValue((on) => {
    const settings = authSettings(on.get(tokens.runtime));
    return authRoutes({
      useCases: useCasesIn(on),
      connections: on.get(tokens.connections),
      names: on.get(tokens.serviceNames),
      limits: on.get(tokens.rateLimits),
      formGuard: on.get(FormGuard),
      knownBrowsers: on.get(KnownBrowsers),
      logger: on.get(tokens.logger),
      provider: on.get(tokens.providerWay),
      settings,
    });
  });
});

/** The use cases of authorization and sessions. */
function useCasesIn(on: ResolutionContext): AuthUseCases {
  const clock = on.get(tokens.clock);
  const runtime = on.get(tokens.runtime);
  // Client documents are at URLs that anybody may submit, so the reach for user-supplied URLs applies.
  const http = on.get(HttpClient).within(runtime.settings.PRIVATE_ADDRESSES ? 'private' : 'public');
  const ports = {
    clients: on.get(tokens.clients),
    documents: new FetchedClientDocuments(http, clock),
    codes: on.get(tokens.codes),
    users: on.get(tokens.users),
    sessions: on.get(tokens.personSessions),
    tokens: on.get(tokens.sessionTokens),
    grants: on.get(tokens.appGrants),
    passwords: on.get(tokens.passwords),
    limits: on.get(tokens.rateLimits),
    clock,
    random: on.get(tokens.random),
    logger: on.get(tokens.logger),
    services: on.get(tokens.serviceNames).keys,
  };
  const shared = {
    identifyCaller: on.get(IdentifyCaller),
    beginSession: on.get(BeginSession),
    signOutEverywhere: on.get(SignOutEverywhere),
  };
  return authUseCases(ports, shared, authSettings(runtime));
}

function authSettings({ settings, baseUrl, listensOnLoopback }: Runtime): AuthSettings {
  return {
    baseUrl,
    listensOnLoopback,
    oauthMetadata: settings.OAUTH_METADATA,
    oauthStrict: settings.OAUTH_STRICT,
    ways: waysOf(settings),
    admin: adminOf(settings),
  };
}

/** The ways in that the settings leave. */
export function waysOf({ PASSWORDS: passwords, oidc }: Pick<Settings, 'PASSWORDS' | 'oidc'>): SignInWays {
  return { passwords, providerHost: oidc === null ? null : new URL(oidc.issuer).host };
}

/** Whom people ask who cannot sign in. */
function adminOf({ ADMIN_EMAIL: email }: Settings): string {
  return email === 'admin@localhost' ? 'an administrator' : email;
}
