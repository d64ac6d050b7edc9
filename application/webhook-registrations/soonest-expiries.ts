import type { WebhookRegistrations } from '#application/ports/webhook-registrations.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import { secondsToExpiry } from '#domain/webhook-registrations/renewal.ts';

/** How long a webhook has left, ready for a gauge. */
export type ExpiryFigure = Readonly<{ service: ServiceKey; name: string; seconds: number }>;

/**
 * How long the registered webhooks that end have left at `now` (Unix ms): of each of the `known` webhooks the one that
 * ends first, whosever it is, so that there are never more figures than webhooks.
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
