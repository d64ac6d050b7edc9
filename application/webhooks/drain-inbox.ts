import type { Clock } from '#application/ports/clock.ts';
import type { ConnectionGate } from '#application/ports/connection-gate.ts';
import type { Logger } from '#application/ports/logger.ts';
import type { Tracer } from '#application/ports/tracer.ts';
import type { Ending, InboxEntry, WebhookInbox } from '#application/ports/webhook-inbox.ts';
import type { WebhookMetrics } from '#application/ports/webhook-metrics.ts';
import type { WorkHold, WorkScope } from '#application/ports/work-scope.ts';
import type { ApplySteps } from '#application/webhooks/apply-steps.ts';
import { HeldClaims } from '#application/webhooks/held-claims.ts';
import type { PlanEntry } from '#application/webhooks/plan-entry.ts';
import { ServiceHealth } from '#application/webhooks/service-health.ts';
import { allLanes, type SlotShares, Slots } from '#application/webhooks/slots.ts';
import { WorkOnEntry } from '#application/webhooks/work-on-entry.ts';
import { calledServices } from '#domain/reactions/step.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import type { ServiceNames } from '#domain/services/service-names.ts';
import type { Lane } from '#domain/webhooks/lane.ts';

/**
 * The dependencies of the use case. `owner` is unique to this process; `chance` is from 0 to below 1, for the jitter.
 */
export type DrainInboxDependencies = Readonly<{
  inbox: WebhookInbox;
  plan: Pick<PlanEntry, 'run'>;
  applySteps: Pick<ApplySteps, 'run'>;
  gate: ConnectionGate;
  scope: WorkScope;
  names: ServiceNames;
  /** The services that send webhooks. */
  senders: readonly ServiceKey[];
  metrics: WebhookMetrics;
  clock: Clock;
  chance: () => number;
  logger: Logger;
  /** Null or absent when nothing is traced. */
  tracer?: Tracer | null;
  owner: string;
  leaseMs: number;
  /** The default shares when not given. */
  shares?: SlotShares;
  /** A clock in ms that never goes back, which claims run out by; the system's when not given. */
  uptime?: () => number;
}>;

/** How long failed deliveries are delayed behind those that only waited, in ms, when their service answers again. */
const wakeAfterMs = 500;

/**
 * Processes the entries of the inbox, many at a time. A free slot claims at once; no service gets more than its share
 * of the slots, and entries that wait for a service that is down take none.
 */
export class DrainInbox {
  readonly #dependencies: DrainInboxDependencies;
  readonly #lanes: readonly Lane[];
  readonly #slots: Slots;
  readonly #health: ServiceHealth;
  readonly #work: WorkOnEntry;
  readonly #claims: HeldClaims;
  readonly #under = new Set<Promise<void>>();
  /** The services whose connections are unusable at the moment. */
  readonly #shut = new Set<ServiceKey>();
  #onRoom: () => void = () => {};
  #isFresh = true;
  #isStopping = false;

  constructor(dependencies: DrainInboxDependencies) {
    this.#dependencies = dependencies;
    this.#lanes = allLanes(dependencies.senders);
    this.#slots = new Slots(dependencies.shares, () => this.#onRoom());
    this.#health = new ServiceHealth(dependencies.clock, dependencies.chance);
    this.#claims = new HeldClaims(dependencies.leaseMs, dependencies.uptime);
    const [slots, health] = [this.#slots, this.#health];
    this.#work = new WorkOnEntry({ ...dependencies, slots, health, onAnswer: (...which) => this.#answered(...which) });
  }

  /** Processes entries until none is due and none is in progress; returns the number of attempts. */
  async run(): Promise<number> {
    for (let tries = 0; ; ) {
      tries += await this.fill();
      if (this.#under.size === 0) return tries;
      await Promise.race(this.#under);
    }
  }

  /** Claims due entries for the free slots and starts them; calls `onRoom` when another slot is free. */
  async fill(onRoom: () => void = () => {}): Promise<number> {
    this.#onRoom = onRoom;
    if (this.#isFresh) {
      for (const service of await this.#dependencies.inbox.awaited()) this.#health.suspect(service);
      this.#isFresh = false;
    }
    await this.#lookAtConnections();
    const isOpen = ({ calls }: Lane) => calls === null || (!this.#shut.has(calls) && this.#health.of(calls) === 'up');
    let begun = await this.#claim(this.#lanes.filter(isOpen));
    for (const service of calledServices) {
      if (this.#shut.has(service) || this.#health.of(service) !== 'probe') continue;
      const lanes = this.#lanes.filter(({ calls }) => calls === service);
      begun += await this.#claim(lanes, 1);
    }
    return begun;
  }

  /** Renews the leases of the entries in progress; work whose lease ran out before is broken off. */
  async keepLeases(): Promise<void> {
    const { inbox, owner, leaseMs } = this.#dependencies;
    const [held, askedAt] = [this.#claims.held(), this.#claims.now()];
    if (held.length === 0) return;
    await inbox.renew(owner, leaseMs);
    this.#claims.extend(held, askedAt);
  }

  /**
   * Stops claiming, and resolves when nothing is in progress. Entries still in progress when `deadline` aborts are
   * cancelled and released: that counts as no attempt, and the next process can claim them at once.
   */
  async stop(deadline: AbortSignal): Promise<void> {
    this.#isStopping = true;
    const breakOff = () => this.#claims.giveUp();
    deadline.addEventListener('abort', breakOff, { once: true });
    if (deadline.aborted) breakOff();
    while (this.#under.size > 0) await Promise.all(this.#under);
    deadline.removeEventListener('abort', breakOff);
  }

  /** Claims from the lanes while there is room and something is due, at most `most` entries; returns their number. */
  async #claim(lanes: readonly Lane[], most = Infinity): Promise<number> {
    const { inbox, owner, leaseMs } = this.#dependencies;
    let begun = 0;
    while (!this.#isStopping && begun < most) {
      const free = lanes.filter((lane) => this.#slots.room(lane) > 0);
      // The limit is the room of the fullest lane: whichever lanes the entries belong to, no share is exceeded.
      const limit = Math.min(most - begun, ...free.map((lane) => this.#slots.room(lane)));
      if (free.length === 0) break;
      const wanted = free.length === this.#lanes.length ? {} : { lanes: free };
      const askedAt = this.#claims.now();
      const claimed = await inbox.claim({ owner, leaseMs, limit, ...wanted });
      for (const entry of claimed) this.#begin(entry, askedAt);
      begun += claimed.length;
      if (claimed.length < limit) break;
    }
    return begun;
  }

  #begin(entry: InboxEntry, askedAt: number): void {
    this.#slots.take(entry.seq, { from: entry.service, calls: entry.calls });
    const hold = this.#claims.begin(entry.seq, askedAt);
    const work = this.#see(entry, hold)
      .catch((error: unknown) =>
        this.#dependencies.logger.error({ err: error, seq: entry.seq }, 'Outcome of an attempt could not be stored'),
      )
      .finally(() => {
        this.#under.delete(work);
        this.#claims.end(entry.seq);
        this.#health.ends(entry.seq);
        this.#slots.free(entry.seq);
      });
    this.#under.add(work);
  }

  async #see(entry: InboxEntry, hold: WorkHold): Promise<void> {
    const { inbox, logger, metrics, clock } = this.#dependencies;
    const { seq, service, deliveryId, event, attempts } = entry;
    const log = logger.child({ delivery: `${service}/${deliveryId}`, seq, event });
    const begunAt = clock.now();
    const ending = await this.#traced(entry, () => this.#ending(entry, hold, log));
    metrics.worked(clock.now() - begunAt);
    const isMine = await inbox.end(entry, ending);
    if (!isMine) return log.warn({}, 'Lease expired while the delivery was processed');
    metrics.ended(service, ending.kind);
    if (ending.kind === 'dead') log.error({ error: ending.error, attempts }, 'delivery is dead');
    else if (ending.kind === 'retry') log.warn({ ...ending, attempts }, 'delivery will be tried again');
    else if (ending.kind === 'waits') log.debug({ ...ending }, 'delivery waits');
    else log.info({ outcome: ending.outcome, attempts }, `delivery ${ending.kind}`);
  }

  /** Runs an attempt as a span of the trace that the delivery came in by. */
  #traced(entry: InboxEntry, run: () => Promise<Ending>): Promise<Ending> {
    const { tracer = null } = this.#dependencies;
    if (tracer === null) return run();
    const { service, seq, attempts, traceparent = null } = entry;
    const attributes = { 'portolan.service': service, 'portolan.delivery': seq, 'portolan.attempt': attempts };
    const start = { name: `delivery ${service}`, kind: 'consumer' as const, attributes, parent: traceparent };
    return tracer.span(start, async (span) => {
      const ending = await run();
      span.set({ 'portolan.ending': ending.kind });
      if (ending.kind === 'dead' || ending.kind === 'retry') span.fail(ending.kind);
      return ending;
    });
  }

  /**
   * Ends an attempt: an exception while processing an entry becomes a failed attempt of that entry, a cancellation
   * none.
   */
  async #ending(entry: InboxEntry, hold: WorkHold, log: Logger): Promise<Ending> {
    const ending = await this.#dependencies.scope.run(hold, () => this.#tried(entry, hold, log));
    const isBrokenOff = hold.signal.aborted && (ending.kind === 'retry' || ending.kind === 'waits');
    return isBrokenOff ? { kind: 'waits', error: entry.error, delayMs: 0, calls: entry.calls } : ending;
  }

  async #tried(entry: InboxEntry, hold: WorkHold, log: Logger): Promise<Ending> {
    try {
      return await this.#work.run(entry, hold);
    } catch (error) {
      log.error({ err: error }, 'Processing a delivery failed');
      return this.#work.again(entry, { error: error instanceof Error ? error.message : String(error), calls: null });
    }
  }

  /** Wakes all deliveries that wait for a service that accepts them again. */
  async #answered(entry: InboxEntry, service: ServiceKey): Promise<void> {
    const wasDown = this.#health.answered(service);
    if (!wasDown && entry.failingSince === null) return;
    const woken = await this.#dependencies.inbox.wake(service, wakeAfterMs);
    this.#dependencies.logger.info({ service, woken }, 'Service answers again');
  }

  /**
   * Checks the connections: deliveries wait without an attempt while theirs is unusable; when it is usable again, all
   * are due.
   */
  async #lookAtConnections(): Promise<void> {
    for (const service of calledServices) {
      const isShut = (await this.#dependencies.gate.reasonToWait(service)) !== null;
      if (isShut) this.#shut.add(service);
      else if (this.#shut.delete(service)) {
        this.#health.answered(service);
        await this.#dependencies.inbox.wake(service);
      }
    }
  }
}
