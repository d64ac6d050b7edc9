import type { Clock } from '#application/ports/clock.ts';
import type { Logger } from '#application/ports/logger.ts';
import type { Ending, InboxEntry, WebhookInbox } from '#application/ports/webhook-inbox.ts';
import type { WebhookMetrics } from '#application/ports/webhook-metrics.ts';
import type { CarryOut } from '#application/webhooks/carry-out.ts';
import type { PlanEntry } from '#application/webhooks/plan-entry.ts';
import type { Failure } from '#domain/operations/outcome.ts';
import type { Step } from '#domain/reactions/step.ts';
import { isGivenUp, retryDelayMs } from '#domain/webhooks/retry-delay.ts';

/** What draining needs. `owner` is unique to this process; `chance` is from 0 to below 1, for the jitter. */
export type DrainInboxParts = Readonly<{
  inbox: WebhookInbox;
  plan: PlanEntry;
  carryOut: CarryOut;
  metrics: WebhookMetrics;
  clock: Clock;
  chance: () => number;
  logger: Logger;
  owner: string;
  leaseMs: number;
}>;

/** How many entries, each of another record, are worked on at a time. */
const atOnce = 8;

/** How often an entry is taken up at most: one that ends the process each time must not do so for ever. */
const maxAttempts = 5000;

/** Failures that another try cannot mend: what was sent does not fit, and a person has to look. */
const hopeless: readonly Failure['reason'][] = ['invalid_input', 'rejected', 'too_large'];

/** Has the entries of the inbox take effect: claim, plan, carry out, and note how it ended. */
export class DrainInbox {
  readonly #parts: DrainInboxParts;
  #inFlight = 0;

  constructor(parts: DrainInboxParts) {
    this.#parts = parts;
  }

  /** Works on what is due until nothing is, or `isStopping` says so between two rounds; the number of entries ended. */
  async run(isStopping: () => boolean = () => false): Promise<number> {
    const { inbox, owner, leaseMs } = this.#parts;
    let ended = 0;
    while (!isStopping()) {
      const claimed = await inbox.claim({ owner, leaseMs, limit: atOnce });
      if (claimed.length === 0) break;
      this.#inFlight = claimed.length;
      try {
        await Promise.all(claimed.map((entry) => this.#work(entry)));
      } finally {
        this.#inFlight = 0;
      }
      ended += claimed.length;
    }
    return ended;
  }

  /** Keeps the leases of what is being worked on from running out. */
  async keepLeases(): Promise<void> {
    const { inbox, owner, leaseMs } = this.#parts;
    if (this.#inFlight > 0) await inbox.renew(owner, leaseMs);
  }

  async #work(entry: InboxEntry): Promise<void> {
    const { inbox, logger, metrics, clock } = this.#parts;
    const { seq, service, deliveryId, event, attempts } = entry;
    const log = logger.child({ delivery: `${service}/${deliveryId}`, seq, event });
    const begunAt = clock.now();
    const ending = await this.#ending(entry, log);
    metrics.worked(clock.now() - begunAt);
    const isMine = await inbox.end(entry, ending);
    if (!isMine) return log.warn({}, 'the lease ran out while the delivery was worked on');
    metrics.ended(service, ending.kind);
    // What failed works again: whatever else waits for it need not wait any longer.
    if (ending.kind === 'done' && entry.failingSince !== null) await inbox.hasten();
    if (ending.kind === 'dead') log.error({ error: ending.error, attempts }, 'delivery is dead');
    else if (ending.kind === 'retry') log.warn({ ...ending, attempts }, 'delivery will be tried again');
    else log.info({ outcome: ending.outcome, attempts }, `delivery ${ending.kind}`);
  }

  /** The edge: what is thrown in the work on an entry ends as a failed try of that entry. */
  async #ending(entry: InboxEntry, log: Logger): Promise<Ending> {
    if (entry.attempts > maxAttempts) return { kind: 'dead', error: `given up after ${maxAttempts} tries` };
    try {
      const plan = await this.#parts.plan.run(entry);
      switch (plan.kind) {
        case 'steps':
          return await this.#carryOut(entry, plan.steps);
        case 'failed':
          return this.#failed(entry, plan.error);
        case 'ignored':
        case 'dead':
          return plan;
      }
    } catch (error) {
      log.error({ err: error }, 'the work on a delivery broke');
      return this.#failed(entry, error instanceof Error ? error.message : String(error));
    }
  }

  async #carryOut(entry: InboxEntry, steps: readonly Step[]): Promise<Ending> {
    const outcomes: string[] = [];
    for (const step of steps) {
      const effect = await this.#parts.carryOut.run(step);
      if (!effect.ok) {
        const { reason, message } = effect.failure;
        const error = `${reason}: ${message}`;
        return hopeless.includes(reason) ? { kind: 'dead', error } : this.#failed(entry, error);
      }
      outcomes.push(effect.value);
    }
    return { kind: 'done', outcome: outcomes.join('; ') };
  }

  #failed(entry: InboxEntry, error: string): Ending {
    if (isGivenUp(entry.failingSince, this.#parts.clock.now())) return { kind: 'dead', error };
    return { kind: 'retry', error, delayMs: retryDelayMs(entry.attempts, this.#parts.chance()) };
  }
}
