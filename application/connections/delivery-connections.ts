import type { Clock } from '#application/ports/clock.ts';
import type { ConnectionGate } from '#application/ports/connection-gate.ts';
import type { KnownConnections } from '#application/ports/known-connections.ts';
import { isHeld, troubleOf } from '#domain/connections/next-look.ts';
import { standingOf } from '#domain/connections/standing-of.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';

/** The connections that deliveries are worked on with: those of one user (REACT-009). */
export class DeliveryConnections implements ConnectionGate {
  readonly #known: KnownConnections;
  readonly #clock: Clock;
  readonly #userId: number;

  constructor(known: KnownConnections, clock: Clock, userId: number) {
    this.#known = known;
    this.#clock = clock;
    this.#userId = userId;
  }

  async reasonToWait(service: ServiceKey): Promise<string | null> {
    const { record, kept } = await this.#known.find(this.#userId, service);
    if (record === null) return null;
    const standing = standingOf(record, kept);
    return isHeld(standing) ? troubleOf(standing, this.#clock.now()) : null;
  }
}
