import type {
  ConnectionOverview,
  ConnectionPlace,
  ConnectionStore,
  RenewalsDue,
  StatedConnection,
  StoredConnection,
} from '#application/ports/connections.ts';
import { type ConnectionStatus, connectedSince, statusOf } from '#domain/connections/connection-status.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import type { TokenRecord } from '#domain/tokens/token-record.ts';
import { frozenCopy } from '#infrastructure/memory/frozen-copy.ts';

/** The connections in memory, credentials as they are given. */
export class MemoryConnections implements ConnectionStore {
  readonly #stored = new Map<string, StoredConnection>();

  async find(userId: number, service: ServiceKey): Promise<StoredConnection | null> {
    return this.reload(userId, service);
  }

  async reload(userId: number, service: ServiceKey): Promise<StoredConnection | null> {
    const stored = this.#stored.get(keyOf({ userId, service }));
    return stored === undefined ? null : { ...stored, status: statusOf(stored.record.updatedAt, stored.status) };
  }

  async list(userId: number): Promise<readonly StoredConnection[]> {
    const places = (await this.places()).filter((place) => place.userId === userId);
    const all = await Promise.all(places.map(({ service }) => this.reload(userId, service)));
    return all.filter((connection) => connection !== null);
  }

  async overview(userId: number): Promise<ConnectionOverview> {
    const services = new Set((await this.list(userId)).map(({ record }) => record.service));
    return { services, isInTeamVault: false };
  }

  async statesOf(userIds: readonly number[]): Promise<readonly StatedConnection[]> {
    const places = (await this.places()).filter(({ userId }) => userIds.includes(userId));
    return places.map((place) => {
      const state = this.#stored.get(keyOf(place))?.status.state ?? 'connected';
      return { ...place, state, isTeams: false };
    });
  }

  async places(): Promise<readonly ConnectionPlace[]> {
    return [...this.#stored.values()]
      .map(({ record: { userId, service } }) => ({ userId, service }))
      .toSorted((left, right) => left.userId - right.userId || (left.service < right.service ? -1 : 1));
  }

  async rewrite(before: TokenRecord, { accessToken, refreshToken }: TokenRecord): Promise<boolean> {
    const stored = this.#stored.get(keyOf(before));
    if (stored?.record.accessToken !== before.accessToken) return false;
    this.#stored.set(keyOf(before), frozenCopy({ ...stored, record: { ...stored.record, accessToken, refreshToken } }));
    return true;
  }

  async renewable(due?: RenewalsDue): Promise<readonly ConnectionPlace[]> {
    const isDue = ({ record: { service, updatedAt, expiresAt }, status }: StoredConnection): boolean =>
      due === undefined ||
      (status.state !== 'reconnect' &&
        ((expiresAt ?? Number.POSITIVE_INFINITY) <= due.expiresUntil ||
          due.services.some((one) => one.service === service && updatedAt <= one.storedUntil)));
    return [...this.#stored.values()]
      .filter(({ record }) => record.refreshToken !== null && record.expiresAt !== null)
      .filter(isDue)
      .map(({ record: { userId, service } }) => ({ userId, service }));
  }

  async dueForProbe(now: number): Promise<readonly ConnectionPlace[]> {
    return [...this.#stored.values()]
      .filter(({ status }) => (status.rejections?.probeAt ?? Number.POSITIVE_INFINITY) <= now)
      .map(({ record: { userId, service } }) => ({ userId, service }));
  }

  async save(record: TokenRecord, status: ConnectionStatus): Promise<void> {
    this.#stored.set(keyOf(record), frozenCopy({ record, status }));
  }

  async replace(before: TokenRecord, after: TokenRecord): Promise<boolean> {
    const stored = this.#stored.get(keyOf(before));
    if (stored?.record.accessToken !== before.accessToken) return false;
    const status = stored.status.state === 'connected' ? stored.status : connectedSince(after.updatedAt);
    this.#stored.set(keyOf(before), frozenCopy({ record: after, status }));
    return true;
  }

  async changeStatus(place: ConnectionPlace, status: ConnectionStatus): Promise<boolean> {
    const stored = this.#stored.get(keyOf(place));
    if (stored === undefined) return false;
    this.#stored.set(keyOf(place), frozenCopy({ ...stored, status }));
    return true;
  }

  async remove(userId: number, service: ServiceKey): Promise<boolean> {
    return this.#stored.delete(keyOf({ userId, service }));
  }
}

function keyOf({ userId, service }: ConnectionPlace): string {
  return `${userId}/${service}`;
}
