import type { Clock } from '#application/ports/clock.ts';
import type { ProviderWebhooks, WebhookAddress } from '#application/ports/provider-webhooks.ts';
import type { WebhookInbox } from '#application/ports/webhook-inbox.ts';
import type { WebhookRegistrations } from '#application/ports/webhook-registrations.ts';
import {
  type RegistrationDependencies,
  webhooksOf,
} from '#application/webhook-registrations/registration-dependencies.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import type { RegistrationFailure } from '#domain/webhook-registrations/desired-webhooks.ts';
import { secondsToExpiry } from '#domain/webhook-registrations/renewal.ts';
import type { RegistrationState, WebhookRegistration } from '#domain/webhook-registrations/webhook-registration.ts';

type ViewDependencies = Readonly<{
  registrations: WebhookRegistrations;
  providers: readonly ProviderWebhooks[];
  isUsed?: RegistrationDependencies['isUsed'];
  inbox: Pick<WebhookInbox, 'lastReceived'>;
  clock: Clock;
  addressOf: WebhookAddress;
  /** The base URL of this server, without a trailing slash. */
  baseUrl: string;
  /** Returns the setting that holds the secret of a service's deliveries. */
  secretVariableOf: (service: ServiceKey) => string;
}>;

/** A webhook as displayed, without its id, URL and secret. Times are Unix ms. */
export type ShownRegistration = Readonly<{
  name: string;
  events: readonly string[];
  state: RegistrationState;
  since: number;
  /** When it was last registered or renewed. */
  registeredAt: number | null;
  expiresAt: number | null;
  /** The seconds until it expires; null when it does not. */
  secondsToExpiry: number | null;
  /** When it is retried after a failure; null when it is not. */
  retryAt: number | null;
  /** A problem or remark; null when there is none. */
  reason: string | null;
}>;

/** The webhooks of a service, for display. */
export type ServiceRegistrations = Readonly<{
  service: ServiceKey;
  /** Why this server registers no webhooks there; null when it does. */
  failure: Readonly<{ reason: RegistrationFailure['reason'] | 'by_hand'; message: string }> | null;
  webhooks: readonly ShownRegistration[];
  /** The URL for its deliveries and the setting that holds their secret, for a webhook that is created manually. */
  receiver: Readonly<{ address: string; secretVariable: string }>;
  /** When the service's last delivery was received; null for never. */
  lastDeliveryAt: number | null;
}>;

const byHand = {
  reason: 'by_hand',
  message: 'An administrator sets the webhook up by hand, in the settings of the service.',
} as const;

/** Returns webhook registrations for display. */
export class ViewRegistrations {
  readonly #dependencies: ViewDependencies;

  constructor(dependencies: ViewDependencies) {
    this.#dependencies = dependencies;
  }

  /** Returns the user's webhooks at a service, and when its last delivery was received. */
  async registrationsOf(userId: number, service: ServiceKey): Promise<ServiceRegistrations> {
    const { registrations, inbox, clock, addressOf, baseUrl, secretVariableOf } = this.#dependencies;
    const now = clock.now();
    const webhooks = await webhooksOf(this.#dependencies, userId, service);
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
      lastDeliveryAt: await inbox.lastReceived(service),
    };
  }
}

function shown(line: WebhookRegistration, now: number): ShownRegistration {
  const { name, events, state, since, registeredAt, expiresAt, retryAt, reason } = line;
  const seconds = secondsToExpiry(line, now);
  return { name, events, state, since, registeredAt, expiresAt, secondsToExpiry: seconds, retryAt, reason };
}
