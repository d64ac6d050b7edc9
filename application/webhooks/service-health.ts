import type { Clock } from '#application/ports/clock.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';

/** Whether a service may be called: freely, only by one delivery as a probe, or not now. */
type Health = 'up' | 'probe' | 'down';

/** The number of consecutive failed deliveries, of different records, after which the service counts as down. */
const failuresUntilDown = 3;
const firstProbeAfterMs = 1_000;
/** The maximum interval between two probes of a service that is down, in ms. */
const maxProbeAfterMs = 4_000;
/** The maximum time, in ms, that a delivery that failed as a probe waits while others probe. */
const maxBackOffMs = 120_000;

type Record = { failed: Set<number>; isDown: boolean; probes: number; probeAt: number; probing: number | null };

/**
 * Tracks the health of the services that deliveries call (a circuit breaker). A service is down after several
 * consecutive deliveries have failed; then one delivery at a time, each time another, probes it until one succeeds.
 */
export class ServiceHealth {
  readonly #clock: Clock;
  readonly #chance: () => number;
  readonly #known = new Map<ServiceKey, Record>();

  /** Creates the tracker. `chance` returns a number in [0, 1), for jitter between processes. */
  constructor(clock: Clock, chance: () => number) {
    this.#clock = clock;
    this.#chance = chance;
  }

  /** Returns the health of the service now. */
  of(service: ServiceKey): Health {
    const { isDown, probing, probeAt } = this.#record(service);
    if (!isDown) return 'up';
    return probing === null && probeAt <= this.#clock.now() ? 'probe' : 'down';
  }

  /** Treats a service as down until a delivery succeeds, as at a start when deliveries wait for it. */
  suspect(service: ServiceKey): void {
    const record = this.#record(service);
    record.isDown = true;
  }

  /** Records that the entry is about to call the service; if that is down, the entry is its probe. */
  begins(service: ServiceKey, seq: number): void {
    const record = this.#record(service);
    if (record.isDown) record.probing = seq;
  }

  /** Records that the service answered; true when it was down before. */
  answered(service: ServiceKey): boolean {
    const wasDown = this.#record(service).isDown;
    this.#known.delete(service);
    return wasDown;
  }

  /**
   * Records that the service failed the entry. When the service is down, returns how long the entry should wait, in ms;
   * null otherwise.
   */
  failed(service: ServiceKey, seq: number): number | null {
    const record = this.#record(service);
    record.failed.add(seq);
    if (!record.isDown && record.failed.size < failuresUntilDown) return null;
    record.isDown = true;
    const intervalMs = Math.min(maxProbeAfterMs, firstProbeAfterMs * 2 ** Math.min(record.probes, 10));
    record.probes += 1;
    this.#delayProbe(record, Math.ceil(intervalMs * (0.5 + 0.5 * this.#chance())));
    return Math.min(maxBackOffMs, intervalMs * (record.failed.size + 1));
  }

  /** Records that the service asked for a pause of `ms`, after which one delivery probes it. */
  askedForPause(service: ServiceKey, ms: number): void {
    const record = this.#record(service);
    record.isDown = true;
    this.#delayProbe(record, ms);
  }

  /** Records that the entry is no longer in flight, whatever its result. */
  ends(seq: number): void {
    for (const record of this.#known.values()) if (record.probing === seq) record.probing = null;
  }

  #delayProbe(record: Record, ms: number): void {
    record.probeAt = Math.max(record.probeAt, this.#clock.now() + ms);
  }

  #record(service: ServiceKey): Record {
    const known = this.#known.get(service) ?? {
      failed: new Set(),
      isDown: false,
      probes: 0,
      probeAt: 0,
      probing: null,
    };
    this.#known.set(service, known);
    return known;
  }
}
