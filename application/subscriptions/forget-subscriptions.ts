import type { ProviderHooks } from '#application/ports/provider-hooks.ts';
import { leftReason } from '#application/subscriptions/reconcile-subscriptions.ts';
import {
  type SubscriptionParts,
  subscriptionLease,
  subscriptionLeaseMs,
} from '#application/subscriptions/subscription-parts.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import type { Subscription } from '#domain/subscriptions/subscription.ts';

/** What the use case works with. `pause` waits that many milliseconds. */
export type ForgetParts = SubscriptionParts & Readonly<{ pause: (ms: number) => Promise<void> }>;

/** How long the provider is given to remove the hooks, in ms, before they are left there. */
const patienceMs = 10_000;
const lookAgainEveryMs = 250;
/** How long the reconciler stays away from them, in ms: longer than forgetting the tokens takes. */
const restMs = 60_000;

/**
 * Removes a user's hooks at a service, while there are tokens to do it with: called before they are forgotten
 * (WREG-005). A provider that does not answer, or cannot remove, keeps them; the ledger says so.
 */
export class ForgetSubscriptions {
  readonly #parts: ForgetParts;

  constructor(parts: ForgetParts) {
    this.#parts = parts;
  }

  /** How many hooks stay at the provider. Never throws for what a provider does; ends within about twenty seconds. */
  async run(userId: number, service: ServiceKey): Promise<number> {
    const { providers, leases, random, ledger } = this.#parts;
    const hooks = providers.find((candidate) => candidate.service === service);
    if (hooks === undefined) return 0;
    const owner = random.token(12);
    await this.#acquire(owner);
    try {
      const signal = AbortSignal.timeout(patienceMs);
      const lines = (await ledger.list()).filter((line) => line.userId === userId && line.service === service);
      let left = 0;
      for (const line of lines) left += (await this.#forget(hooks, line, signal)) ? 0 : 1;
      return left;
    } finally {
      await leases.release(subscriptionLease, owner);
    }
  }

  /** Who cannot have the lease in time goes on without: the ledger tells the other that his line was changed. */
  async #acquire(owner: string): Promise<void> {
    const { leases, pause } = this.#parts;
    for (let waitedMs = 0; waitedMs < patienceMs; waitedMs += lookAgainEveryMs) {
      if ((await leases.acquire(subscriptionLease, owner, subscriptionLeaseMs)) !== null) return;
      await pause(lookAgainEveryMs);
    }
  }

  async #forget(hooks: ProviderHooks, line: Subscription, signal: AbortSignal): Promise<boolean> {
    const { ledger, clock, logger } = this.#parts;
    const now = clock.now();
    const rest = { since: now, failures: 0, retryAt: now + restMs };
    const { remoteId, service, name, userId } = line;
    const removed = remoteId === null ? null : await removedFrom(hooks, userId, remoteId, signal);
    if (removed !== false) {
      await ledger.keep({ ...line, ...rest, state: 'wanted', remoteId: null, expiresAt: null, reason: null });
      if (removed === true) logger.info({ service, name, remoteId }, 'A webhook was removed with its connection');
      return true;
    }
    await ledger.keep({ ...line, ...rest, state: 'left', reason: leftReason });
    logger.warn({ service, name, remoteId }, leftReason);
    return false;
  }
}

async function removedFrom(hooks: ProviderHooks, userId: number, remoteId: string, signal: AbortSignal) {
  return hooks.abilities.removes && (await hooks.remove(userId, remoteId, signal)).ok;
}
