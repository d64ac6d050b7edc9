import { ContainerModule } from 'inversify';
import { FormGuard } from '#adapters/http/requests/form-guard.ts';
import { CachedSessionTokens } from '#adapters/memory/cached-sign-ins.ts';
import { IdentifyCaller } from '#application/session/identify-caller.ts';
import { tokens } from '#bootstrap/tokens.ts';
import { Argon2Passwords } from '#infrastructure/crypto/argon2-passwords.ts';
import { deriveKey } from '#infrastructure/crypto/derive-key.ts';
import { JweSessionTokens } from '#infrastructure/crypto/jwe-session-tokens.ts';

/** Binds users, sessions and authorization. Cookie and bearer token share one key and salt (SESS-002). */
export const auth = new ContainerModule(({ bind }) => {
  const passwords = new Argon2Passwords();
  void passwords.warmUp();
  bind(tokens.users).toResolvedValue(({ users }) => users, [tokens.stores]);
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
  bind(tokens.authPorts)
    .toResolvedValue(
      (clients, codes, users, sessions, passwords, limits, clock, random, logger) => ({
        clients,
        codes,
        users,
        tokens: sessions,
        passwords,
        limits,
        clock,
        random,
        logger,
      }),
      [
        tokens.clients,
        tokens.codes,
        tokens.users,
        tokens.sessionTokens,
        tokens.passwords,
        tokens.rateLimits,
        tokens.clock,
        tokens.random,
        tokens.logger,
      ],
    )
    .inSingletonScope();
  bind(tokens.identifyCaller)
    .toResolvedValue(
      (sessions, users, clock) => new IdentifyCaller(sessions, users, clock),
      [tokens.sessionTokens, tokens.users, tokens.clock],
    )
    .inSingletonScope();
  bind(tokens.formGuard)
    .toResolvedValue(
      ({ secrets, baseUrl }, random) => new FormGuard(deriveKey(secrets[0] ?? '', 'forms'), random, baseUrl),
      [tokens.runtime, tokens.random],
    )
    .inSingletonScope();
});
