import type { Clock } from '#application/ports/clock.ts';
import type { Leases } from '#application/ports/leases.ts';
import type { Logger } from '#application/ports/logger.ts';
import type { ProviderWebhooks } from '#application/ports/provider-webhooks.ts';
import type { Random } from '#application/ports/random.ts';
import type { WebhookRegistrations } from '#application/ports/webhook-registrations.ts';

/** The dependencies of every use case of webhook registrations. */
export type RegistrationDependencies = Readonly<{
  registrations: WebhookRegistrations;
  /** The webhooks of each service that supports registration. */
  providers: readonly ProviderWebhooks[];
  leases: Leases;
  clock: Clock;
  random: Random;
  logger: Logger;
}>;

/** The name of the lease that is held while webhooks are changed, so that one process does it at a time. */
export const registrationLease = 'subscriptions';

/** The duration of that lease, in ms: longer than one step at a provider may take. */
export const registrationLeaseMs = 180_000;
