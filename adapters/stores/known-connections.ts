import type { KnownServices } from '#adapters/stores/known-services.ts';
import type {
  ConnectionOverview,
  ConnectionPlace,
  Connections,
  StoredConnection,
} from '#application/ports/connections.ts';
import type { ConnectionStatus } from '#domain/connections/connection-status.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import type { TokenRecord } from '#domain/tokens/token-record.ts';

/** Hides connections to services that this server does not have, and lists the others in the order of its services. */
export class KnownConnections implements Connections {
  readonly #inner: Connections;
  readonly #services: KnownServices;

  constructor(inner: Connections, services: KnownServices) {
    this.#inner = inner;
    this.#services = services;
  }

  find(userId: number, service: ServiceKey): Promise<StoredConnection | null> {
    return this.#inner.find(userId, service);
  }

  reload(userId: number, service: ServiceKey): Promise<StoredConnection | null> {
    return this.#inner.reload(userId, service);
  }

  async list(userId: number): Promise<readonly StoredConnection[]> {
    const known = (await this.#inner.list(userId)).filter(({ record }) => this.#has(record));
    return this.#services.keys.flatMap((service) => known.filter(({ record }) => record.service === service));
  }

  async overview(userId: number): Promise<ConnectionOverview> {
    const { services, isInTeamVault } = await this.#inner.overview(userId);
    return { services: new Set([...services].filter((service) => this.#has({ service }))), isInTeamVault };
  }

  async renewable(): Promise<readonly ConnectionPlace[]> {
    return (await this.#inner.renewable()).filter((place) => this.#has(place));
  }

  async dueForProbe(now: number): Promise<readonly ConnectionPlace[]> {
    return (await this.#inner.dueForProbe(now)).filter((place) => this.#has(place));
  }

  save(record: TokenRecord, status: ConnectionStatus): Promise<void> {
    return this.#inner.save(record, status);
  }

  replace(before: TokenRecord, after: TokenRecord): Promise<boolean> {
    return this.#inner.replace(before, after);
  }

  changeStatus(place: ConnectionPlace, status: ConnectionStatus): Promise<boolean> {
    return this.#inner.changeStatus(place, status);
  }

  remove(userId: number, service: ServiceKey): Promise<boolean> {
    return this.#inner.remove(userId, service);
  }

  #has({ service }: Pick<ConnectionPlace, 'service'>): boolean {
    return this.#services.has(service, 'connections');
  }
}
