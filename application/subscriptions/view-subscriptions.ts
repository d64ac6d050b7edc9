import type { Clock } from '#application/ports/clock.ts';
import type { DeliveryLog, LastDeliveries } from '#application/ports/delivery-log.ts';
import type { HookAddress, ProviderHooks } from '#application/ports/provider-hooks.ts';
import type { SubscriptionLedger } from '#application/ports/subscription-ledger.ts';
import type { WebhookServiceKey } from '#domain/services/service-key.ts';
import { secondsToExpiry } from '#domain/subscriptions/renewal.ts';
import type { Subscription, SubscriptionState } from '#domain/subscriptions/subscription.ts';
import type { Obstacle } from '#domain/subscriptions/wished-hooks.ts';

/** What the queries work with. */
export type ViewParts = Readonly<{
  ledger: SubscriptionLedger;
  providers: readonly ProviderHooks[];
  deliveries: DeliveryLog;
  clock: Clock;
  addressOf: HookAddress;
  /** How this server is reached, without a trailing slash. */
  baseUrl: string;
}>;

/** One hook, as a person may see it: no id, no address, no secret. Times are Unix ms. */
export type ShownSubscription = Readonly<{
  name: string;
  events: readonly string[];
  state: SubscriptionState;
  since: number;
  /** When it was last registered or renewed. */
  registeredAt: number | null;
  expiresAt: number | null;
  /** Seconds until it ends; null when it does not. */
  secondsToExpiry: number | null;
  /** When it is tried again after a failure. */
  retryAt: number | null;
  /** What is wrong, or to be known; null when all is well. */
  reason: string | null;
}>;

/** The hooks of a service. */
export type ServiceSubscriptions = Readonly<{
  service: WebhookServiceKey;
  /** Why this server registers none there; null when it does. */
  obstacle: Readonly<{ reason: Obstacle['reason'] | 'by_hand'; message: string }> | null;
  hooks: readonly ShownSubscription[];
  /** Where its deliveries go, and the setting that holds the secret they are verified with: what a webhook made by hand needs. */
  receiver: Readonly<{ address: string; secretVariable: string }>;
  /** When the service last delivered anything; null for never. */
  lastDeliveryAt: number | null;
}>;

const byHand = {
  reason: 'by_hand',
  message: 'An administrator sets the webhook up by hand, in the settings of the service.',
} as const;

/** Shows what the ledger says, for pages. */
export class ViewSubscriptions {
  readonly #parts: ViewParts;

  constructor(parts: ViewParts) {
    this.#parts = parts;
  }

  /** The user's hooks at a service, and when it last delivered. */
  async subscriptionsOf(userId: number, service: WebhookServiceKey): Promise<ServiceSubscriptions> {
    const { ledger, providers, clock, addressOf, baseUrl } = this.#parts;
    const now = clock.now();
    const hooks = providers.find((candidate) => candidate.service === service);
    const address = hooks === undefined ? null : addressOf(hooks);
    const lines = (await ledger.list()).filter((line) => line.userId === userId && line.service === service);
    return {
      service,
      obstacle: address === null ? byHand : address.ok ? null : address.failure,
      hooks: lines.map((line) => shown(line, now)),
      receiver: {
        address: `${baseUrl}/webhooks/${service}`,
        secretVariable: hooks?.secretVariable ?? 'SIGNING_WEBHOOK_KEY',
      },
      lastDeliveryAt: (await this.lastDeliveries())[service],
    };
  }

  /** When each service last delivered anything; null for never. */
  lastDeliveries(): Promise<LastDeliveries> {
    return this.#parts.deliveries.last();
  }
}

function shown(line: Subscription, now: number): ShownSubscription {
  const { name, events, state, since, registeredAt, expiresAt, retryAt, reason } = line;
  const seconds = secondsToExpiry(line, now);
  return { name, events, state, since, registeredAt, expiresAt, secondsToExpiry: seconds, retryAt, reason };
}
