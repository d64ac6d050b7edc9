import type { Clock } from '#application/ports/clock.ts';
import type { ConnectionGate } from '#application/ports/connection-gate.ts';
import type { Connections } from '#application/ports/connections.ts';
import type { AutomationUser } from '#application/users/automation-user.ts';
import { isHeld, troubleOf } from '#domain/connections/connection-status.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import { isTeams } from '#domain/tokens/token-record.ts';

/** Checks the connections that processing deliveries uses: those of the automation user (REACT-009). */
export class DeliveryConnections implements ConnectionGate {
  readonly #connections: Pick<Connections, 'find'>;
  readonly #clock: Clock;
  readonly #automation: AutomationUser;
  readonly #without: readonly ServiceKey[];
  readonly #trouble: () => string | null;

  /**
   * `without` are the services that processing deliveries does not call over a stored connection; `trouble` says why
   * the folder of the team's vault cannot be used now.
   */
  constructor(
    connections: Pick<Connections, 'find'>,
    clock: Clock,
    automation: AutomationUser,
    {
      without = [],
      trouble = () => null,
    }: Readonly<{ without?: readonly ServiceKey[]; trouble?: () => string | null }> = {},
  ) {
    this.#connections = connections;
    this.#clock = clock;
    this.#automation = automation;
    this.#without = without;
    this.#trouble = trouble;
  }

  reasonToPause(): Promise<string | null> {
    return this.#automation.reasonToWait();
  }

  async reasonToWait(service: ServiceKey): Promise<string | null> {
    if (this.#without.includes(service)) return null;
    const connection = await this.#connections.find(this.#automation.id, service);
    const trouble = connection !== null && isTeams(connection.record) ? this.#trouble() : null;
    if (trouble !== null) return trouble;
    if (connection === null || !isHeld(connection.status)) return null;
    return troubleOf(connection.status, this.#clock.now());
  }
}
