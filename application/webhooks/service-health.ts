import type { Clock } from '#application/ports/clock.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';

/** Whether a service may be called: freely, by the one delivery that probes it, or not now. */
export type Health = 'up' | 'probe' | 'down';

/** After how many deliveries that failed one after another, of different records, the service is known to be down. */
const failuresUntilDown = 3;
const firstProbeAfterMs = 1_000;
/** How long a service that is down is left alone between two probes, in ms. */
const maxProbeAfterMs = 4_000;
/** How long a delivery whose probe failed leaves the next ones to the others, in ms. */
const maxAsideMs = 120_000;

type Record = { failed: Set<number>; isDown: boolean; probes: number; probeAt: number; probing: number | null };

/**
 * What the deliveries have seen of the services they call. A service is down once deliveries have failed on it one after
 * another; then one at a time probes it, each time another one, until one gets through.
 */
export class ServiceHealth {
  readonly #clock: Clock;
  readonly #chance: () => number;
  readonly #known = new Map<ServiceKey, Record>();

  /** `chance` is from 0 to below 1: several processes do not probe at the same moment. */
  constructor(clock: Clock, chance: () => number) {
    this.#clock = clock;
    this.#chance = chance;
  }

  /** How the service is now. */
  of(service: ServiceKey): Health {
    const { isDown, probing, probeAt } = this.#record(service);
    if (!isDown) return 'up';
    return probing === null && probeAt <= this.#clock.now() ? 'probe' : 'down';
  }

  /** Takes a service for down until the first delivery gets through, as after a start while deliveries wait for it. */
  suspect(service: ServiceKey): void {
    const record = this.#record(service);
    record.isDown = true;
  }

  /** The entry is about to call the service: while it is down it is its probe. */
  begins(service: ServiceKey, seq: number): void {
    const record = this.#record(service);
    if (record.isDown) record.probing = seq;
  }

  /** The service has answered; true when it was down before. */
  answered(service: ServiceKey): boolean {
    const wasDown = this.#record(service).isDown;
    this.#known.delete(service);
    return wasDown;
  }

  /**
   * The service has failed the entry. When it is down, how long the entry has to leave probing to the others, in ms; null
   * while it is not.
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

  /** The service has asked to be left alone for so many ms; then one delivery asks again. */
  asksForRest(service: ServiceKey, ms: number): void {
    const record = this.#record(service);
    record.isDown = true;
    this.#rest(record, ms);
  }

  /** The entry is not worked on any more, whatever came of it. */
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
