import type { Notify } from '#application/notifications/notify.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { ConnectionGate } from '#application/ports/connection-gate.ts';
import type { Logger } from '#application/ports/logger.ts';
import type { Tracer } from '#application/ports/tracer.ts';
import type { Ending, InboxEntry, WebhookInbox } from '#application/ports/webhook-inbox.ts';
import type { WebhookMetrics } from '#application/ports/webhook-metrics.ts';
import type { WorkHold, WorkScope } from '#application/ports/work-scope.ts';
import type { NoteRuns } from '#application/reactions/note-runs.ts';
import type { ApplySteps } from '#application/webhooks/apply-steps.ts';
import { type HeldClaim, HeldClaims } from '#application/webhooks/held-claims.ts';
import type { PlanEntry } from '#application/webhooks/plan-entry.ts';
import { ServiceHealth } from '#application/webhooks/service-health.ts';
import { allLanes, defaultShares, type SlotShares, Slots } from '#application/webhooks/slots.ts';
import { WorkOnEntry } from '#application/webhooks/work-on-entry.ts';
import { type ClaimTiming, type Intake, type Load, WorkPace } from '#application/webhooks/work-pace.ts';
import { calledServices } from '#domain/reactions/step.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import type { ServiceNames } from '#domain/services/service-names.ts';
import { messageOf } from '#domain/shared/error-text.ts';
import type { Lane } from '#domain/webhooks/lane.ts';

/**
 * The dependencies of the use case. `owner` is unique to this process; `chance` returns a number in [0, 1), for jitter.
 */
type DrainInboxDependencies = Readonly<{
  inbox: WebhookInbox;
  plan: Pick<PlanEntry, 'run'>;
  applySteps: Pick<ApplySteps, 'run'>;
  /** Records what deliveries come to for reactions; they are not recorded when not given. */
  runs?: Pick<NoteRuns, 'run'>;
  gate: ConnectionGate;
  scope: WorkScope;
  /** Hears of deliveries that are given up; nobody does when not given. */
  notify?: Pick<Notify, 'run'>;
  names: ServiceNames;
  /** The services that send webhooks. */
  senders: readonly ServiceKey[];
  metrics: WebhookMetrics;
  clock: Clock;
  chance: () => number;
  logger: Logger;
  /** Null or absent when tracing is off. */
  tracer?: Tracer | null;
  owner: string;
  timing: ClaimTiming;
  /** Defaults to `defaultShares`. */
  shares?: SlotShares;
  /** Measures the load since the last call; not measured when not given. */
  load?: () => Load;
  /** A monotonic clock in ms by which claims expire; the system's when not given. */
  uptime?: () => number;
}>;

const noLoad: Load = { busy: 0, cores: 0 };

/** The delay, in ms, before deliveries that wait for a service are due after it recovers. */
const wakeAfterMs = 500;

/**
 * Processes the entries of the inbox concurrently. A free slot claims an entry at once; no service gets more than its
 * share of the slots, and entries that wait for a service that is down occupy none.
 */
export class DrainInbox {
  readonly #dependencies: DrainInboxDependencies;
  readonly #lanes: readonly Lane[];
  /** The services that processing may call. */
  readonly #called: readonly ServiceKey[];
  readonly #slots: Slots;
  readonly #health: ServiceHealth;
  readonly #work: WorkOnEntry;
  readonly #pace: WorkPace;
  readonly #mostOfLane: number;
  readonly #claims: HeldClaims;
  readonly #inFlight = new Set<Promise<void>>();
  /** The services whose connections are currently unusable. */
  readonly #suspended = new Set<ServiceKey>();
  /** What this server may take on now. */
  readonly intake: Intake = {
    isBusy: () => this.#pace.isShort,
    isFull: () => this.#pace.isFull(this.#claims.now()),
    mayReceive: () => this.#pace.mayReceive(this.#claims.now()),
    notReceived: () => this.#pace.notReceived(),
    mayCall: () => this.#pace.mayCall(this.#claims.now()),
  };
  #onRoom: () => void = () => {};
  #extending: Promise<void> | null = null;
  /** When the leases were last extended, or would have been, by the clock of the claims. */
  #extendedAt: number;
  #isFresh = true;
  #isStopping = false;
  #isPaused = false;

  constructor(dependencies: DrainInboxDependencies) {
    this.#dependencies = dependencies;
    this.#lanes = allLanes(dependencies.senders);
    this.#called = [...new Set([...calledServices, ...dependencies.senders])];
    const { shares = defaultShares, timing, uptime, metrics } = dependencies;
    this.#pace = new WorkPace(timing, shares.all);
    this.#mostOfLane = shares.lane;
    this.#slots = new Slots(
      shares,
      () => this.#onRoom(),
      () => ({ all: this.#pace.limit, alike: this.#pace.limitAlike }),
    );
    this.#health = new ServiceHealth(dependencies.clock, dependencies.chance);
    this.#claims = new HeldClaims(uptime, () => {
      metrics.lost();
      this.#pace.lost(this.#claims.now());
    });
    this.#extendedAt = this.#claims.now();
    const [slots, health] = [this.#slots, this.#health];
    this.#work = new WorkOnEntry({ ...dependencies, slots, health, onAnswer: (...which) => this.#answered(...which) });
  }

  /** Processes entries until none is due and none is in flight; returns the number of attempts. */
  async run(): Promise<number> {
    for (let tries = 0; ; ) {
      tries += await this.fill();
      if (this.#inFlight.size === 0) return tries;
      await Promise.race(this.#inFlight);
    }
  }

  /**
   * Claims due entries for the free slots and starts them; calls `onRoom` when another slot is free. Returns the number
   * of entries started.
   */
  async fill(onRoom: () => void = () => {}): Promise<number> {
    this.#onRoom = onRoom;
    if (await this.#checkPause()) return 0;
    // Nothing is claimed while what is held could not be renewed.
    const isLate = this.#claims.now() - this.#extendedAt > 2 * this.#dependencies.timing.renewMs;
    if (isLate && this.#inFlight.size > 0) await this.keepLeases();
    if (this.#isFresh) {
      for (const service of await this.#dependencies.inbox.awaited()) this.#health.suspect(service);
      this.#isFresh = false;
    }
    await this.#checkConnections();
    const isOpen = ({ calls }: Lane) =>
      calls === null || (!this.#suspended.has(calls) && this.#health.of(calls) === 'up');
    let begun = await this.#claim(this.#lanes.filter(isOpen));
    for (const service of this.#called) {
      if (this.#suspended.has(service) || this.#health.of(service) !== 'probe') continue;
      const lanes = this.#lanes.filter(({ calls }) => calls === service);
      begun += await this.#claim(lanes, 1);
    }
    this.#slots.filled(this.#lanes);
    return begun;
  }

  /**
   * Whether it is worth claiming at once: a new delivery while none is in flight; for free slots when they are half of a
   * full lane's.
   */
  isWorthClaiming(cause: 'new' | 'room'): boolean {
    return cause === 'new' ? this.#inFlight.size === 0 : this.#slots.isHalfFree();
  }

  /** Extends the leases of the entries in flight; work whose lease expired begins nothing more. */
  async keepLeases(): Promise<void> {
    this.#extending ??= this.#extend().finally(() => {
      this.#extending = null;
    });
    await this.#extending;
  }

  async #extend(): Promise<void> {
    const { inbox, owner } = this.#dependencies;
    const [held, askedAt] = [this.#claims.held(), this.#claims.now()];
    const { load = () => noLoad } = this.#dependencies;
    this.#pace.extended(askedAt - this.#extendedAt, load);
    const { leaseMs } = this.#pace;
    if (held.length > 0) await inbox.renew(owner, leaseMs);
    this.#claims.extend(held, askedAt + leaseMs);
    this.#extendedAt = askedAt;
  }

  /**
   * Stops claiming, and resolves when nothing is in flight. Entries in flight when `deadline` aborts are cancelled and
   * released: this does not count as an attempt, and another process can claim them at once.
   */
  async stop(deadline: AbortSignal): Promise<void> {
    this.#isStopping = true;
    const cancel = () => this.#claims.giveUp();
    deadline.addEventListener('abort', cancel, { once: true });
    if (deadline.aborted) cancel();
    while (this.#inFlight.size > 0) await Promise.all(this.#inFlight);
    deadline.removeEventListener('abort', cancel);
  }

  /** Claims from the lanes while they have room and entries are due, at most `most` entries; returns their number. */
  async #claim(lanes: readonly Lane[], most = Infinity): Promise<number> {
    const { inbox, owner } = this.#dependencies;
    const { leaseMs } = this.#pace;
    let begun = 0;
    while (!this.#isStopping && begun < most) {
      const offer = this.#slots.offer(lanes);
      if (offer.lanes.length === 0) break;
      // Asking for all lanes alike is cheaper, unless one that is nearly full leaves the others little.
      const least = Math.min(...offer.lanes.map((lane) => lane.most));
      const isAlike = offer.lanes.length === this.#lanes.length && 2 * least >= Math.min(offer.limit, this.#mostOfLane);
      const limit = Math.min(most - begun, isAlike ? least : offer.limit);
      const wanted = isAlike ? {} : { lanes: offer.lanes };
      const askedAt = this.#claims.now();
      const claimed = await inbox.claim({ owner, leaseMs, limit, ...wanted });
      for (const entry of claimed) this.#begin(entry, askedAt + leaseMs);
      begun += claimed.length;
      if (claimed.length < limit) break;
    }
    return begun;
  }

  #begin(entry: InboxEntry, until: number): void {
    this.#slots.take(entry, { from: entry.service, calls: entry.calls });
    const hold = this.#claims.begin(until);
    const work = this.#process(entry, hold)
      .catch((error: unknown) =>
        this.#dependencies.logger.error({ err: error, seq: entry.seq }, 'Outcome of an attempt could not be stored'),
      )
      .finally(() => {
        this.#inFlight.delete(work);
        hold.end();
        this.#health.ends(entry.seq);
        this.#slots.free(entry);
      });
    this.#inFlight.add(work);
  }

  async #process(entry: InboxEntry, hold: HeldClaim): Promise<void> {
    const { inbox, logger, metrics, clock } = this.#dependencies;
    const { seq, service, deliveryId, event, attempts } = entry;
    const log = logger.child({ delivery: `${service}/${deliveryId}`, seq, event });
    const begunAt = clock.now();
    const ending = await this.#traced(entry, () => this.#ending(entry, hold, log));
    metrics.worked(clock.now() - begunAt);
    if (ending.kind === 'dead' && hold.isHeld()) await this.#notify(entry);
    const isMine = await inbox.end(entry, ending);
    if (hold.isHeld()) this.#pace.kept();
    if (!isMine) return log.warn({}, 'Lease expired while the delivery was processed');
    metrics.ended(service, ending.kind === 'done' && ending.isFaulty === true ? 'faulty' : ending.kind);
    if (ending.kind === 'dead') log.error({ error: ending.error, attempts }, 'delivery is dead');
    else if (ending.kind === 'retry') log.warn({ ...ending, attempts }, 'delivery will be tried again');
    else if (ending.kind === 'waits') log.debug({ ...ending }, 'delivery waits');
    else log.info({ outcome: ending.outcome, attempts }, `delivery ${ending.kind}`);
  }

  /** Takes down that a delivery is given up, before that is stored. */
  async #notify({ seq, availableAt, service, event }: InboxEntry): Promise<void> {
    const subject = { delivery: seq, service, event };
    // A replay has another time.
    const occasion = `${seq} ${availableAt}`;
    await this.#dependencies.notify?.run({ kind: 'delivery.failed', occasion, userId: null, subject });
  }

  /** Runs an attempt as a span of the trace in which the delivery was received. */
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
   * Ends an attempt: an exception while processing counts as a failed attempt of the entry, a cancellation does not.
   */
  async #ending(entry: InboxEntry, hold: WorkHold, log: Logger): Promise<Ending> {
    const ending = await this.#dependencies.scope.run(hold, () => this.#tried(entry, hold, log));
    const isCancelled = hold.signal.aborted && (ending.kind === 'retry' || ending.kind === 'waits');
    return isCancelled ? { kind: 'waits', error: entry.error, delayMs: 0, calls: entry.calls } : ending;
  }

  async #tried(entry: InboxEntry, hold: WorkHold, log: Logger): Promise<Ending> {
    try {
      return await this.#work.run(entry, hold);
    } catch (error) {
      log.error({ err: error }, 'Processing a delivery failed');
      return this.#work.again(entry, { error: messageOf(error), calls: null });
    }
  }

  /** Wakes the deliveries that wait for a service, after it has accepted one. */
  async #answered(entry: InboxEntry, service: ServiceKey): Promise<void> {
    const wasDown = this.#health.answered(service);
    if (!wasDown && entry.failingSince === null) return;
    const woken = await this.#dependencies.inbox.wake(service, wakeAfterMs);
    this.#dependencies.logger.info({ service, woken }, 'Service answers again');
  }

  /** Whether no delivery is processed now; logs when that changes. */
  async #checkPause(): Promise<boolean> {
    const { gate, logger } = this.#dependencies;
    const reason = await gate.reasonToPause();
    const isPaused = reason !== null;
    if (isPaused && !this.#isPaused) logger.warn({ reason }, 'Deliveries wait');
    if (!isPaused && this.#isPaused) logger.info({}, 'Deliveries are processed again');
    this.#isPaused = isPaused;
    return isPaused;
  }

  /**
   * Checks the connections: deliveries wait without an attempt while theirs is unusable, and become due when it is
   * usable again.
   */
  async #checkConnections(): Promise<void> {
    for (const service of this.#called) {
      const isSuspended = (await this.#dependencies.gate.reasonToWait(service)) !== null;
      if (isSuspended) this.#suspended.add(service);
      else if (this.#suspended.delete(service)) {
        this.#health.answered(service);
        await this.#dependencies.inbox.wake(service);
      }
    }
  }
}
