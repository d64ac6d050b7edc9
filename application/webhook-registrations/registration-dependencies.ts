import type { Clock } from '#application/ports/clock.ts';
import type { Leases } from '#application/ports/leases.ts';
import type { Logger } from '#application/ports/logger.ts';
import type { ProviderWebhooks } from '#application/ports/provider-webhooks.ts';
import type { Random } from '#application/ports/random.ts';
import type { WebhookRegistrations } from '#application/ports/webhook-registrations.ts';

/** The dependencies shared by the use cases of webhook registrations. */
export type RegistrationDependencies = Readonly<{
  registrations: WebhookRegistrations;
  /** The webhooks of each service that supports registration. */
  providers: readonly ProviderWebhooks[];
  leases: Leases;
  clock: Clock;
  random: Random;
  logger: Logger;
}>;

/** The name of the lease held while webhooks are changed, so that only one process does so at a time. */
export const registrationLease = 'subscriptions';

/** The lease's duration, in ms; longer than one step at a provider may take. */
export const registrationLeaseMs = 180_000;
