import type { Store, Stores } from '#adapters/contracts/stores.ts';
import { MemoryAuthorizationCodes } from '#adapters/memory/memory-authorization-codes.ts';
import { MemoryClients } from '#adapters/memory/memory-clients.ts';
import { MemoryPendingConnects } from '#adapters/memory/memory-pending-connects.ts';
import { MemoryPendingSignIns } from '#adapters/memory/memory-pending-sign-ins.ts';
import { rateLimitRules } from '#domain/limits/rate-limit-rules.ts';
import { MemoryRateLimits } from '#infrastructure/limits/memory-rate-limits.ts';
import { noRateLimits } from '#infrastructure/limits/no-rate-limits.ts';

/** The lifecycle of an in-memory store: always ready, nothing to release. */
export const volatile: Store = { ready: async () => undefined, close: async () => undefined };

/** Creates the stores that may be in memory (`OAUTH_CLIENTS`); their content is lost at a restart (SET-015). */
export function transientStores({
  isLimiting,
}: Readonly<{ isLimiting: boolean }>): Pick<
  Stores,
  'clients' | 'authorizationCodes' | 'pendingConnects' | 'pendingSignIns' | 'rateLimits'
> {
  return {
    clients: Object.assign(new MemoryClients(), volatile),
    authorizationCodes: Object.assign(new MemoryAuthorizationCodes(), volatile),
    pendingConnects: Object.assign(new MemoryPendingConnects(), volatile),
    pendingSignIns: Object.assign(new MemoryPendingSignIns(), volatile),
    rateLimits: isLimiting
      ? Object.assign(new MemoryRateLimits(rateLimitRules), volatile)
      : { ...noRateLimits, ...volatile },
  };
}
