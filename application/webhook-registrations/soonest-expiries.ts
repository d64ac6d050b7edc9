import type { WebhookRegistrations } from '#application/ports/webhook-registrations.ts';
import { webhooksByService } from '#domain/webhook-registrations/desired-webhooks.ts';
import { secondsToExpiry } from '#domain/webhook-registrations/renewal.ts';
import { type RegistrableService, registrableServices } from '#domain/webhook-registrations/webhook-registration.ts';

/** How long a webhook has left, ready for a gauge. */
export type ExpiryFigure = Readonly<{ service: RegistrableService; name: string; seconds: number }>;

/**
 * How long the registered webhooks that end have left at `now` (Unix ms): of each webhook that this version knows the one that
 * ends first, whosever it is, so that there are never more figures than webhooks.
 */
export async function soonestExpiries(
  registrations: WebhookRegistrations,
  now: number,
): Promise<readonly ExpiryFigure[]> {
  const lines = (await registrations.list()).filter(({ state }) => state === 'active');
  return registrableServices.flatMap((service) =>
    webhooksByService[service].flatMap(({ name }) => {
      const own = lines.filter((line) => line.service === service && line.name === name);
      const left = own.flatMap((line) => secondsToExpiry(line, now) ?? []);
      return left.length === 0 ? [] : [{ service, name, seconds: Math.min(...left) }];
    }),
  );
}
