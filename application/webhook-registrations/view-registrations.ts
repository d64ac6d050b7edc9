import type { Clock } from '#application/ports/clock.ts';
import type { DeliveryLog, LastDeliveries } from '#application/ports/delivery-log.ts';
import type { ProviderWebhooks, WebhookAddress } from '#application/ports/provider-webhooks.ts';
import type { WebhookRegistrations } from '#application/ports/webhook-registrations.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import { own } from '#domain/shared/own.ts';
import type { RegistrationFailure } from '#domain/webhook-registrations/desired-webhooks.ts';
import { secondsToExpiry } from '#domain/webhook-registrations/renewal.ts';
import type { RegistrationState, WebhookRegistration } from '#domain/webhook-registrations/webhook-registration.ts';

/** What the queries work with. */
export type ViewDependencies = Readonly<{
  registrations: WebhookRegistrations;
  providers: readonly ProviderWebhooks[];
  deliveries: DeliveryLog;
  clock: Clock;
  addressOf: WebhookAddress;
  /** How this server is reached, without a trailing slash. */
  baseUrl: string;
  /** The setting that holds the secret of a service's deliveries. */
  secretVariableOf: (service: ServiceKey) => string;
}>;

/** One webhook, as a person may see it: no id, no address, no secret. Times are Unix ms. */
export type ShownRegistration = Readonly<{
  name: string;
  events: readonly string[];
  state: RegistrationState;
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

/** The webhooks of a service. */
export type ServiceRegistrations = Readonly<{
  service: ServiceKey;
  /** Why this server registers none there; null when it does. */
  failure: Readonly<{ reason: RegistrationFailure['reason'] | 'by_hand'; message: string }> | null;
  webhooks: readonly ShownRegistration[];
  /** Where its deliveries go, and the setting that holds the secret they are verified with: what a webhook made by hand needs. */
  receiver: Readonly<{ address: string; secretVariable: string }>;
  /** When the service last delivered anything; null for never. */
  lastDeliveryAt: number | null;
}>;

const byHand = {
  reason: 'by_hand',
  message: 'An administrator sets the webhook up by hand, in the settings of the service.',
} as const;

/** The registrations as people see them, for pages. */
export class ViewRegistrations {
  readonly #dependencies: ViewDependencies;

  constructor(dependencies: ViewDependencies) {
    this.#dependencies = dependencies;
  }

  /** The user's webhooks at a service, and when it last delivered. */
  async registrationsOf(userId: number, service: ServiceKey): Promise<ServiceRegistrations> {
    const { registrations, providers, clock, addressOf, baseUrl, secretVariableOf } = this.#dependencies;
    const now = clock.now();
    const webhooks = providers.find((candidate) => candidate.service === service);
    const address = webhooks === undefined ? null : addressOf(webhooks);
    const lines = (await registrations.list()).filter((line) => line.userId === userId && line.service === service);
    return {
      service,
      failure: address === null ? byHand : address.ok ? null : address.failure,
      webhooks: lines.map((line) => shown(line, now)),
      receiver: {
        address: `${baseUrl}/webhooks/${service}`,
        secretVariable: webhooks?.secretVariable ?? secretVariableOf(service),
      },
      lastDeliveryAt: own(await this.lastDeliveries(), service) ?? null,
    };
  }

  /** When each service last delivered anything; null for never. */
  lastDeliveries(): Promise<LastDeliveries> {
    return this.#dependencies.deliveries.last();
  }
}

function shown(line: WebhookRegistration, now: number): ShownRegistration {
  const { name, events, state, since, registeredAt, expiresAt, retryAt, reason } = line;
  const seconds = secondsToExpiry(line, now);
  return { name, events, state, since, registeredAt, expiresAt, secondsToExpiry: seconds, retryAt, reason };
}
