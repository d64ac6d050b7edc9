import type { Clock } from '#application/ports/clock.ts';
import type { Leases } from '#application/ports/leases.ts';
import type { Logger } from '#application/ports/logger.ts';
import type { ProviderHooks } from '#application/ports/provider-hooks.ts';
import type { Random } from '#application/ports/random.ts';
import type { SubscriptionLedger } from '#application/ports/subscription-ledger.ts';

/** What every use case of subscriptions works with. */
export type SubscriptionParts = Readonly<{
  ledger: SubscriptionLedger;
  /** The hooks of each service that has any. */
  providers: readonly ProviderHooks[];
  leases: Leases;
  clock: Clock;
  random: Random;
  logger: Logger;
}>;

/** The lease that who changes hooks has to hold, so that there is one at a time. */
export const subscriptionLease = 'subscriptions';

/** How long it is held without being asked for again, in ms: longer than one step at a provider may take. */
export const subscriptionLeaseMs = 180_000;
