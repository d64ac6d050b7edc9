import type { Clock } from '#application/ports/clock.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';

/** Whether a service may be called: freely, only by the delivery that probes it, or not now. */
export type Health = 'up' | 'probe' | 'down';

/** The number of consecutive failed deliveries, of different records, after which the service counts as down. */
const failuresUntilDown = 3;
const firstProbeAfterMs = 1_000;
/** The longest wait between two probes of a service that is down, in ms. */
const maxProbeAfterMs = 4_000;
/** How long a delivery whose probe failed leaves the next probes to others, in ms. */
const maxAsideMs = 120_000;

type Record = { failed: Set<number>; isDown: boolean; probes: number; probeAt: number; probing: number | null };

/**
 * Tracks the health of the services that deliveries call. A service is down after consecutive deliveries have failed on
 * it; then one at a time probes it, each time another one, until one succeeds.
 */
export class ServiceHealth {
  readonly #clock: Clock;
  readonly #chance: () => number;
  readonly #known = new Map<ServiceKey, Record>();

  /** Creates the tracker. `chance` is from 0 to below 1, so that several processes do not probe at the same moment. */
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

  /** Treats a service as down until the first delivery succeeds, as after a start while deliveries wait for it. */
  suspect(service: ServiceKey): void {
    const record = this.#record(service);
    record.isDown = true;
  }

  /** Records that the entry is about to call the service: while that is down, the entry is its probe. */
  begins(service: ServiceKey, seq: number): void {
    const record = this.#record(service);
    if (record.isDown) record.probing = seq;
  }

  /** Records that the service has answered; true when it was down before. */
  answered(service: ServiceKey): boolean {
    const wasDown = this.#record(service).isDown;
    this.#known.delete(service);
    return wasDown;
  }

  /**
   * Records that the service has failed the entry. Returns how long the entry leaves probing to others, in ms, when the
   * service is down; null while it is not.
   */
  failed(service: ServiceKey, seq: number): number | null {
    const record = this.#record(service);
    record.failed.add(seq);
    if (!record.isDown && record.failed.size < failuresUntilDown) return null;
    record.isDown = true;
    const intervalMs = Math.min(maxProbeAfterMs, firstProbeAfterMs * 2 ** Math.min(record.probes, 10));
    record.probes += 1;
    this.#rest(record, Math.ceil(intervalMs * (0.5 + 0.5 * this.#chance())));
    return Math.min(maxAsideMs, intervalMs * (record.failed.size + 1));
  }

  /** Records that the service asked for a pause of so many ms; then one delivery probes it. */
  asksForRest(service: ServiceKey, ms: number): void {
    const record = this.#record(service);
    record.isDown = true;
    this.#rest(record, ms);
  }

  /** Records that the entry is no longer processed, whatever its result. */
  ends(seq: number): void {
    for (const record of this.#known.values()) if (record.probing === seq) record.probing = null;
  }

  #rest(record: Record, ms: number): void {
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
