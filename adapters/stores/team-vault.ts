import type {
  ConnectionOverview,
  ConnectionPlace,
  Connections,
  StoredConnection,
} from '#application/ports/connections.ts';
import { type ConnectionStatus, connectedSince } from '#domain/connections/connection-status.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import { isTeams, type TokenRecord } from '#domain/tokens/token-record.ts';

/** The team's vault as this process serves it: its address, its key, and since when (Unix ms). */
export type ServedVault = Readonly<{ url: string; key: string; since: number }>;

/**
 * Gives users without a vault of their own a connection to the team's vault, which this process serves. That connection
 * is answered from memory and never stored, since its address is valid in this process only. Access is governed by the
 * permission `vault`, which is checked where a connection is used.
 */
export class TeamVault implements Connections {
  readonly #stored: Connections;
  #served: ServedVault | null = null;
  /** The status of the team's vault per user who has had one recorded. */
  readonly #statuses = new Map<number, ConnectionStatus>();

  constructor(stored: Connections) {
    this.#stored = stored;
  }

  /** Offers the vault to all users from now on. */
  serve(vault: ServedVault): void {
    this.#served = vault;
    this.#statuses.clear();
  }

  async find(userId: number, service: ServiceKey): Promise<StoredConnection | null> {
    return this.#orTeams({ userId, service }, await this.#stored.find(userId, service));
  }

  async reload(userId: number, service: ServiceKey): Promise<StoredConnection | null> {
    return this.#orTeams({ userId, service }, await this.#stored.reload(userId, service));
  }

  async list(userId: number): Promise<readonly StoredConnection[]> {
    const stored = await this.#stored.list(userId);
    const own = stored.find(({ record }) => record.service === 'vault') ?? null;
    const vault = this.#orTeams({ userId, service: 'vault' }, own);
    const others = stored.filter(({ record }) => record.service !== 'vault');
    return vault === null ? others : [...others, vault];
  }

  async overview(userId: number): Promise<ConnectionOverview> {
    const { services } = await this.#stored.overview(userId);
    if (this.#served === null) return { services, isInTeamVault: false };
    if (!services.has('vault')) return { services: new Set([...services, 'vault']), isInTeamVault: true };
    const vault = await this.find(userId, 'vault');
    return { services, isInTeamVault: vault !== null && isTeams(vault.record) };
  }

  renewable(): Promise<readonly ConnectionPlace[]> {
    return this.#stored.renewable();
  }

  async dueForProbe(now: number): Promise<readonly ConnectionPlace[]> {
    const due = [...this.#statuses].filter(
      ([, { rejections }]) => rejections?.probeAt != null && rejections.probeAt <= now,
    );
    const teams = due.map(([userId]) => ({ userId, service: 'vault' }) as const);
    return [...(await this.#stored.dueForProbe(now)), ...teams];
  }

  save(record: TokenRecord, status: ConnectionStatus): Promise<void> {
    return this.#stored.save(record, status);
  }

  replace(before: TokenRecord, after: TokenRecord): Promise<boolean> {
    return this.#stored.replace(before, after);
  }

  async changeStatus(place: ConnectionPlace, status: ConnectionStatus): Promise<boolean> {
    const connection = place.service === 'vault' ? await this.find(place.userId, 'vault') : null;
    if (connection === null || !isTeams(connection.record)) return this.#stored.changeStatus(place, status);
    this.#statuses.set(place.userId, status);
    return true;
  }

  remove(userId: number, service: ServiceKey): Promise<boolean> {
    return this.#stored.remove(userId, service);
  }

  #orTeams({ userId, service }: ConnectionPlace, stored: StoredConnection | null): StoredConnection | null {
    if (service !== 'vault' || this.#served === null || isOwn(stored)) return stored;
    const status = this.#statuses.get(userId) ?? connectedSince(this.#served.since);
    return { record: teamRecord(userId, this.#served), status };
  }
}

/** Whether the user connected this vault themselves; one that came from the settings gives way to the team's. */
function isOwn(stored: StoredConnection | null): boolean {
  return stored !== null && stored.record.extra['from_settings'] !== true;
}

function teamRecord(userId: number, { url, key, since }: ServedVault): TokenRecord {
  return {
    userId,
    service: 'vault',
    authMethod: 'api_key',
    accessToken: key,
    refreshToken: null,
    scope: null,
    expiresAt: null,
    extra: { base_url: url, verify_ssl: true, embedded: true },
    updatedAt: since,
  };
}
