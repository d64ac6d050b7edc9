import { ContainerModule } from 'inversify';
import { FormGuard } from '#adapters/http/requests/form-guard.ts';
import { CachedSessionTokens, CachedUsers } from '#adapters/memory/cached-sign-ins.ts';
import { MemoryAuthorizationCodes } from '#adapters/memory/memory-authorization-codes.ts';
import { MemoryClients } from '#adapters/memory/memory-clients.ts';
import { MikroOrmUsers } from '#adapters/persistence/mikro-orm-users.ts';
import { rateLimitRules } from '#application/ports/rate-limits.ts';
import { IdentifyCaller } from '#application/session/identify-caller.ts';
import { tokens } from '#bootstrap/tokens.ts';
import { Argon2Passwords } from '#infrastructure/crypto/argon2-passwords.ts';
import { deriveKey } from '#infrastructure/crypto/derive-key.ts';
import { JweSessionTokens } from '#infrastructure/crypto/jwe-session-tokens.ts';
import { MemoryRateLimits } from '#infrastructure/limits/memory-rate-limits.ts';
import { noRateLimits } from '#infrastructure/limits/no-rate-limits.ts';

/** Binds users, sessions and authorization. Cookie and bearer token share one key and salt (SESS-002). */
export const auth = new ContainerModule(({ bind }) => {
  const passwords = new Argon2Passwords();
  void passwords.warmUp();
  bind(tokens.users)
    .toResolvedValue(
      (database, accounts) =>
        new CachedUsers(new MikroOrmUsers(database), { onChange: (userId) => accounts.publish({ userId }) }),
      [tokens.database, tokens.accountChanges],
    )
    .inSingletonScope();
  bind(tokens.passwords).toConstantValue(passwords);
  bind(tokens.sessionTokens)
    .toResolvedValue(
      ({ secrets }) =>
        new CachedSessionTokens(new JweSessionTokens(secrets.map((secret) => deriveKey(secret, 'session')))),
      [tokens.runtime],
    )
    .inSingletonScope();
  bind(tokens.clients).toConstantValue(new MemoryClients());
  bind(tokens.codes).toConstantValue(new MemoryAuthorizationCodes());
  bind(tokens.rateLimits)
    .toResolvedValue(
      ({ settings }) => (settings.RATE_LIMITS ? new MemoryRateLimits(rateLimitRules) : noRateLimits),
      [tokens.runtime],
    )
    .inSingletonScope();
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
