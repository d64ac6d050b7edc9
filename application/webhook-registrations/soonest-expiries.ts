import type { WebhookRegistrations } from '#application/ports/webhook-registrations.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import { secondsToExpiry } from '#domain/webhook-registrations/renewal.ts';

/** The time until a webhook expires, for a gauge. */
type ExpiryFigure = Readonly<{ service: ServiceKey; name: string; seconds: number }>;

/**
 * Returns the seconds from `now` (Unix ms) until registered webhooks expire: one figure for each of the `known`
 * webhooks, that of the user whose registration expires first.
 */
export async function soonestExpiries(
  registrations: WebhookRegistrations,
  known: readonly Readonly<{ service: ServiceKey; name: string }>[],
  now: number,
): Promise<readonly ExpiryFigure[]> {
  const lines = (await registrations.list()).filter(({ state }) => state === 'active');
  return known.flatMap(({ service, name }) => {
    const same = lines.filter((line) => line.service === service && line.name === name);
    const left = same.flatMap((line) => secondsToExpiry(line, now) ?? []);
    return left.length === 0 ? [] : [{ service, name, seconds: Math.min(...left) }];
  });
}
