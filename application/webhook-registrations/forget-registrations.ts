import type { ProviderWebhooks } from '#application/ports/provider-webhooks.ts';
import { leftReason } from '#application/webhook-registrations/reconcile-registrations.ts';
import {
  type RegistrationDependencies,
  registrationLease,
  registrationLeaseMs,
} from '#application/webhook-registrations/registration-dependencies.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import type { WebhookRegistration } from '#domain/webhook-registrations/webhook-registration.ts';

/** The dependencies of the use case. `pause` waits that many milliseconds. */
export type ForgetDependencies = RegistrationDependencies & Readonly<{ pause: (ms: number) => Promise<void> }>;

/** How long to wait for the provider to remove the webhooks, in ms, before they are left there. */
const maxWaitMs = 10_000;
const lookAgainEveryMs = 250;
/** How long the reconciler skips these registrations, in ms: longer than removing the tokens takes. */
const restMs = 60_000;

/**
 * Removes a user's webhooks at a service while there are tokens for it: called before those are removed (WREG-005).
 * Where the provider does not answer, or cannot remove, they stay; the registration says so.
 */
export class ForgetRegistrations {
  readonly #dependencies: ForgetDependencies;

  constructor(dependencies: ForgetDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Returns the number of webhooks that stay at the provider. Never throws for a provider's errors; ends within about
   * twenty seconds.
   */
  async run(userId: number, service: ServiceKey): Promise<number> {
    const { providers, leases, random, registrations } = this.#dependencies;
    const webhooks = providers.find((candidate) => candidate.service === service);
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

  /**
   * Acquires the lease; continues without it when it is not free in time: the row's version shows the other process the
   * change.
   */
  async #acquire(owner: string): Promise<void> {
    const { leases, pause } = this.#dependencies;
    for (let waitedMs = 0; waitedMs < maxWaitMs; waitedMs += lookAgainEveryMs) {
      if ((await leases.acquire(registrationLease, owner, registrationLeaseMs)) !== null) return;
      await pause(lookAgainEveryMs);
    }
  }

  async #forget(webhooks: ProviderWebhooks, line: WebhookRegistration, signal: AbortSignal): Promise<boolean> {
    const { registrations, clock, logger } = this.#dependencies;
    const now = clock.now();
    const rest = { since: now, failures: 0, retryAt: now + restMs };
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
