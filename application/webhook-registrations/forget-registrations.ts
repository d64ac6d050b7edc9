import type { ProviderWebhooks } from '#application/ports/provider-webhooks.ts';
import { leftReason } from '#application/webhook-registrations/reconcile-registrations.ts';
import {
  type RegistrationDependencies,
  registrationLease,
  registrationLeaseMs,
  webhooksOf,
} from '#application/webhook-registrations/registration-dependencies.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import type { WebhookRegistration } from '#domain/webhook-registrations/webhook-registration.ts';

/** The dependencies of the use case. `pause` waits for that many milliseconds. */
type ForgetDependencies = RegistrationDependencies & Readonly<{ pause: (ms: number) => Promise<void> }>;

/** The time limit for removing the webhooks at the provider, and for acquiring the lease, in ms. */
const maxWaitMs = 10_000;
const pollMs = 250;
/** How long the reconciler skips these registrations, in ms; longer than the tokens' removal takes. */
const skipMs = 60_000;

/**
 * Removes a user's webhooks at a service; called before its tokens are removed (WREG-005). Webhooks that the provider
 * does not remove stay there, and their registrations say so.
 */
export class ForgetRegistrations {
  readonly #dependencies: ForgetDependencies;

  constructor(dependencies: ForgetDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Returns the number of webhooks that remain at the provider. Never throws for a provider's errors; returns within
   * about twenty seconds.
   */
  async run(userId: number, service: ServiceKey): Promise<number> {
    const { leases, random, registrations } = this.#dependencies;
    const webhooks = await webhooksOf(this.#dependencies, userId, service);
    if (webhooks === undefined) return 0;
    const owner = random.token(12);
    await this.#acquire(owner);
    try {
      const signal = AbortSignal.timeout(maxWaitMs);
      const lines = (await registrations.list()).filter((line) => line.userId === userId && line.service === service);
      let left = 0;
      for (const line of lines) left += (await this.#forget(webhooks, line, signal)) ? 0 : 1;
      return left;
    } finally {
      await leases.release(registrationLease, owner);
    }
  }

  /** Acquires the lease. Continues without it after a timeout: the version of each row detects concurrent changes. */
  async #acquire(owner: string): Promise<void> {
    const { leases, pause } = this.#dependencies;
    for (let waitedMs = 0; waitedMs < maxWaitMs; waitedMs += pollMs) {
      if ((await leases.acquire(registrationLease, owner, registrationLeaseMs)) !== null) return;
      await pause(pollMs);
    }
  }

  async #forget(webhooks: ProviderWebhooks, line: WebhookRegistration, signal: AbortSignal): Promise<boolean> {
    const { registrations, clock, logger } = this.#dependencies;
    const now = clock.now();
    const rest = { since: now, failures: 0, retryAt: now + skipMs };
    const { remoteId, service, name, userId } = line;
    const removed = remoteId === null ? null : await removedFrom(webhooks, userId, remoteId, signal);
    if (removed !== false) {
      await registrations.keep({ ...line, ...rest, state: 'wanted', remoteId: null, expiresAt: null, reason: null });
      if (removed === true) logger.info({ service, name, remoteId }, 'Webhook removed with its connection');
      return true;
    }
    await registrations.keep({ ...line, ...rest, state: 'left', reason: leftReason });
    logger.warn({ service, name, remoteId }, leftReason);
    return false;
  }
}

async function removedFrom(webhooks: ProviderWebhooks, userId: number, remoteId: string, signal: AbortSignal) {
  return webhooks.abilities.removes && (await webhooks.remove(userId, remoteId, signal)).ok;
}
