import type { Connections } from '#application/ports/connections.ts';
import type { DeliveryLog } from '#application/ports/delivery-log.ts';
import type { HookAddress, ProviderHooks } from '#application/ports/provider-hooks.ts';
import { CarryOutStep } from '#application/subscriptions/carry-out-step.ts';
import {
  type SubscriptionParts,
  subscriptionLease,
  subscriptionLeaseMs,
} from '#application/subscriptions/subscription-parts.ts';
import { isLookDue, nextStep, strays } from '#domain/subscriptions/next-step.ts';
import { type HookWish, type RemoteHook, type Subscription, wanted } from '#domain/subscriptions/subscription.ts';
import { wishesFor } from '#domain/subscriptions/wished-hooks.ts';

/** What the use case works with, beside what all of them do. */
export type ReconcileParts = SubscriptionParts &
  Readonly<{
    connections: Pick<Connections, 'reload'>;
    deliveries: DeliveryLog;
    /** Whose connections the hooks are registered over (WREG-001). */
    userId: number;
    addressOf: HookAddress;
  }>;

/** Asks for the lease again; false when another has it, and nothing may be done any more. */
type Hold = () => Promise<boolean>;
type Pair = Readonly<{ wish: HookWish; line: Subscription }>;

/**
 * Has the providers' hooks be what they should: registers what is missing, renews what ages, makes again what the sender
 * switched off or lost, removes what is not wanted. One process at a time does it; what fails is tried again later.
 */
export class ReconcileSubscriptions {
  readonly #parts: ReconcileParts;
  readonly #carryOut: CarryOutStep;

  constructor(parts: ReconcileParts) {
    this.#parts = parts;
    this.#carryOut = new CarryOutStep(parts);
  }

  /**
   * How many hooks were made, renewed or taken over; 0 as well when another process is at it. Once `signal` has aborted
   * nothing more is begun.
   */
  async run(signal?: AbortSignal): Promise<number> {
    const { leases, random, providers } = this.#parts;
    const owner = random.token(12);
    const hold = async () =>
      signal?.aborted !== true && (await leases.acquire(subscriptionLease, owner, subscriptionLeaseMs)) !== null;
    if (!(await hold())) return 0;
    try {
      let done = 0;
      for (const hooks of providers) done += await this.#service(hooks, hold);
      return done;
    } finally {
      await leases.release(subscriptionLease, owner);
    }
  }

  async #service(hooks: ProviderHooks, hold: Hold): Promise<number> {
    const wishes = await this.#wishes(hooks);
    if (wishes === null) return 0;
    const lines = (await this.#parts.ledger.list()).filter(({ service }) => service === hooks.service);
    for (const line of lines) {
      if (!wishes.some((wish) => isOf(line, wish)) && (await hold())) await this.#tidy(hooks, line);
    }
    const pairs = await this.#pairs(wishes, lines);
    const now = this.#parts.clock.now();
    if (!pairs.some(({ wish, line }) => isLookDue(line, wish, now)) || !(await hold())) return 0;
    const remote = await hooks.list(this.#parts.userId);
    const ready = pairs.filter(({ line }) => line.retryAt === null || line.retryAt <= now);
    if (remote.ok) return this.#see(hooks, hold, { pairs: ready, remote: remote.value, wishes });
    for (const { line } of ready) await this.#carryOut.failed(line, remote.failure);
    return 0;
  }

  /** What there should be; null while nothing is to be touched. */
  async #wishes(hooks: ProviderHooks): Promise<readonly HookWish[] | null> {
    const { connections, userId, addressOf } = this.#parts;
    const address = addressOf(hooks);
    if (!address.ok) return null;
    const connection = await connections.reload(userId, hooks.service);
    if (connection === null) return [];
    if (connection.status.state === 'reconnect') return null;
    const { extra } = connection.record;
    const { secretMark, service } = hooks;
    return wishesFor(service, { userId, url: address.value, secretMark, extra });
  }

  /** Each wish with its line, which is made where there is none. */
  async #pairs(wishes: readonly HookWish[], lines: readonly Subscription[]): Promise<readonly Pair[]> {
    const { ledger, clock } = this.#parts;
    const pairs: Pair[] = [];
    for (const wish of wishes) {
      const line = lines.find((candidate) => isOf(candidate, wish)) ?? (await ledger.keep(wanted(wish, clock.now())));
      if (line !== null) pairs.push({ wish, line });
    }
    return pairs;
  }

  async #see(
    hooks: ProviderHooks,
    hold: Hold,
    seen: Readonly<{
      pairs: readonly Pair[];
      remote: readonly RemoteHook[] | null;
      wishes: readonly HookWish[];
    }>,
  ): Promise<number> {
    const { deliveries, clock } = this.#parts;
    const { pairs, remote, wishes } = seen;
    const lastDeliveryAt = (await deliveries.last())[hooks.service];
    let done = 0;
    for (const { wish, line } of pairs) {
      if (!(await hold())) return done;
      const { abilities } = hooks;
      const step = nextStep({ wish, entry: line, remote, abilities, lastDeliveryAt, now: clock.now() });
      const listed = remote?.find(({ remoteId }) => remoteId === line.remoteId) ?? null;
      if (await this.#carryOut.run({ hooks, wish, line, remote: listed }, step)) done += 1;
    }
    if (remote !== null && (await hold())) await this.#removeStrays(hooks, remote, wishes);
    return done;
  }

  /** A second hook that delivers the same is removed. */
  async #removeStrays(hooks: ProviderHooks, remote: readonly RemoteHook[], wishes: readonly HookWish[]): Promise<void> {
    if (!hooks.abilities.removes) return;
    const { ledger, logger, userId } = this.#parts;
    for (const { remoteId } of strays(remote, wishes, await ledger.list())) {
      const removed = await hooks.remove(userId, remoteId);
      const fields = { service: hooks.service, remoteId, isRemoved: removed.ok };
      logger.warn(fields, 'A webhook delivered the same a second time');
    }
  }

  /** A line that nobody wishes for: its hook is removed as long as there is a connection to do it with. */
  async #tidy(hooks: ProviderHooks, line: Subscription): Promise<void> {
    const { ledger, connections, clock } = this.#parts;
    const now = clock.now();
    const isOver = line.remoteId === null || (line.expiresAt !== null && line.expiresAt <= now);
    if (isOver) {
      await ledger.remove(line);
      return;
    }
    if (line.state === 'left' || (line.retryAt !== null && line.retryAt > now)) return;
    const isConnected = (await connections.reload(line.userId, line.service)) !== null;
    if (!hooks.abilities.removes || !isConnected) {
      await ledger.keep({ ...line, state: 'left', since: now, reason: leftReason });
      return;
    }
    const removed = await hooks.remove(line.userId, line.remoteId ?? '');
    if (removed.ok) await ledger.remove(line);
    else await this.#carryOut.failed(line, removed.failure);
  }
}

/** What is told of a hook that stays at the provider. */
export const leftReason = 'It is still at the provider, and cannot be removed from here: remove it in its settings.';

function isOf(line: Subscription, wish: HookWish): boolean {
  return line.userId === wish.userId && line.service === wish.service && line.name === wish.name;
}
