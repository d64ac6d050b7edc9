import type { Clock } from '#application/ports/clock.ts';
import type { Leases } from '#application/ports/leases.ts';
import type { Logger } from '#application/ports/logger.ts';
import type { ProviderWebhooks } from '#application/ports/provider-webhooks.ts';
import type { Random } from '#application/ports/random.ts';
import type { WebhookRegistrations } from '#application/ports/webhook-registrations.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';

/** The dependencies shared by the use cases of webhook registrations. */
export type RegistrationDependencies = Readonly<{
  registrations: WebhookRegistrations;
  /** The webhooks of each service that supports registration. */
  providers: readonly ProviderWebhooks[];
  /** Whether a user's connection is with the vendor of these webhooks; by default a service has one vendor. */
  isUsed?: ((webhooks: ProviderWebhooks, userId: number) => Promise<boolean>) | undefined;
  leases: Leases;
  clock: Clock;
  random: Random;
  logger: Logger;
}>;

/** The name of the lease held while webhooks are changed, so that only one process does so at a time. */
export const registrationLease = 'subscriptions';

/** The lease's duration, in ms; longer than one step at a provider may take. */
export const registrationLeaseMs = 180_000;

/** Returns the webhooks of a service at the vendor that a user's connection is with; undefined when there are none. */
export async function webhooksOf(
  { providers, isUsed }: Pick<RegistrationDependencies, 'providers' | 'isUsed'>,
  userId: number,
  service: ServiceKey,
): Promise<ProviderWebhooks | undefined> {
  for (const webhooks of providers) {
    if (webhooks.service === service && (isUsed === undefined || (await isUsed(webhooks, userId)))) return webhooks;
  }
  return undefined;
}
