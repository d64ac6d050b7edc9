import type {
  ConnectionOverview,
  ConnectionPlace,
  Connections,
  StoredConnection,
} from '#application/ports/connections.ts';
import type { ConnectionStatus } from '#domain/connections/connection-status.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import type { TokenRecord } from '#domain/tokens/token-record.ts';

/** Publishes each change of a connection that is made through this instance, once, after it has been stored. */
export class NotifyingConnections implements Connections {
  readonly #inner: Connections;
  readonly #publish: (userId: number) => void;

  /** `publish` is called with the id of the user whose connection changed. */
  constructor(inner: Connections, publish: (userId: number) => void) {
    this.#inner = inner;
    this.#publish = publish;
  }

  find(userId: number, service: ServiceKey): Promise<StoredConnection | null> {
    return this.#inner.find(userId, service);
  }

  reload(userId: number, service: ServiceKey): Promise<StoredConnection | null> {
    return this.#inner.reload(userId, service);
  }

  list(userId: number): Promise<readonly StoredConnection[]> {
    return this.#inner.list(userId);
  }

  overview(userId: number): Promise<ConnectionOverview> {
    return this.#inner.overview(userId);
  }

  renewable(): Promise<readonly ConnectionPlace[]> {
    return this.#inner.renewable();
  }

  dueForProbe(now: number): Promise<readonly ConnectionPlace[]> {
    return this.#inner.dueForProbe(now);
  }

  async save(record: TokenRecord, status: ConnectionStatus): Promise<void> {
    await this.#inner.save(record, status);
    this.#publish(record.userId);
  }

  async replace(before: TokenRecord, after: TokenRecord): Promise<boolean> {
    return this.#published(before.userId, await this.#inner.replace(before, after));
  }

  async changeStatus(place: ConnectionPlace, status: ConnectionStatus): Promise<boolean> {
    return this.#published(place.userId, await this.#inner.changeStatus(place, status));
  }

  async remove(userId: number, service: ServiceKey): Promise<boolean> {
    return this.#published(userId, await this.#inner.remove(userId, service));
  }

  #published(userId: number, isChanged: boolean): boolean {
    if (isChanged) this.#publish(userId);
    return isChanged;
  }
}
