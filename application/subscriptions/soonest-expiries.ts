import type { SubscriptionLedger } from '#application/ports/subscription-ledger.ts';
import { secondsToExpiry } from '#domain/subscriptions/renewal.ts';
import { type HookServiceKey, hookServiceKeys } from '#domain/subscriptions/subscription.ts';
import { hooksByService } from '#domain/subscriptions/wished-hooks.ts';

/** How long a hook has left, ready for a gauge. */
export type ExpiryFigure = Readonly<{ service: HookServiceKey; name: string; seconds: number }>;

/**
 * How long the registered hooks that end have left at `now` (Unix ms): of each hook that this version knows the one that
 * ends first, whosever it is, so that there are never more figures than hooks.
 */
export async function soonestExpiries(ledger: SubscriptionLedger, now: number): Promise<readonly ExpiryFigure[]> {
  const lines = (await ledger.list()).filter(({ state }) => state === 'active');
  return hookServiceKeys.flatMap((service) =>
    hooksByService[service].flatMap(({ name }) => {
      const own = lines.filter((line) => line.service === service && line.name === name);
      const left = own.flatMap((line) => secondsToExpiry(line, now) ?? []);
      return left.length === 0 ? [] : [{ service, name, seconds: Math.min(...left) }];
    }),
  );
}
