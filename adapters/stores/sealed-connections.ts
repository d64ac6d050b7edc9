import type {
  ConnectionOverview,
  ConnectionPlace,
  Connections,
  StoredConnection,
} from '#application/ports/connections.ts';
import { type ConnectionStatus, unreadableSince } from '#domain/connections/connection-status.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import { isReadable, type TokenRecord } from '#domain/tokens/token-record.ts';
import { NotOpened } from '#infrastructure/crypto/aes-gcm-box.ts';

/**
 * Encrypts texts; `context` binds a ciphertext to where it is stored. `open` throws `NotOpened` for a text that was not
 * sealed with that context.
 */
export type TokenBox = Readonly<{
  seal(text: string, context: string): string;
  open(text: string, context: string): string;
}>;

/**
 * Called once per connection whose credentials cannot be decrypted, with the reason; called again only if they could be
 * decrypted in between.
 */
export type OnUnreadable = (place: ConnectionPlace, error: NotOpened) => void;

/**
 * Encrypts the credentials of connections before they are stored, and decrypts them on reading, so that the store never
 * sees a secret. Credentials that cannot be decrypted are returned empty, with a status that says so.
 */
export class SealedConnections implements Connections {
  readonly #store: Connections;
  readonly #box: TokenBox;
  readonly #onUnreadable: OnUnreadable;
  readonly #reported = new Set<string>();

  constructor(store: Connections, box: TokenBox, onUnreadable: OnUnreadable = () => undefined) {
    this.#store = store;
    this.#box = box;
    this.#onUnreadable = onUnreadable;
  }

  async find(userId: number, service: ServiceKey): Promise<StoredConnection | null> {
    const stored = await this.#store.find(userId, service);
    return stored === null ? null : this.#opened(stored);
  }

  async reload(userId: number, service: ServiceKey): Promise<StoredConnection | null> {
    const stored = await this.#store.reload(userId, service);
    return stored === null ? null : this.#opened(stored);
  }

  async list(userId: number): Promise<readonly StoredConnection[]> {
    return (await this.#store.list(userId)).map((stored) => this.#opened(stored));
  }

  overview(userId: number): Promise<ConnectionOverview> {
    return this.#store.overview(userId);
  }

  renewable(): Promise<readonly ConnectionPlace[]> {
    return this.#store.renewable();
  }

  dueForProbe(now: number): Promise<readonly ConnectionPlace[]> {
    return this.#store.dueForProbe(now);
  }

  save(record: TokenRecord, status: ConnectionStatus): Promise<void> {
    return this.#store.save(this.#sealed(record), status);
  }

  async replace(before: TokenRecord, after: TokenRecord): Promise<boolean> {
    for (;;) {
      const stored = await this.#store.reload(before.userId, before.service);
      if (stored === null || !isReadable(before)) return false;
      if (this.#opened(stored).record.accessToken !== before.accessToken) return false;
      // Each encryption gives a different ciphertext, so the ciphertext serves as the version of the stored record.
      // When it has changed while the token has not, the token was re-encrypted: retry.
      if (await this.#store.replace(stored.record, this.#sealed(after))) return true;
    }
  }

  changeStatus(place: ConnectionPlace, status: ConnectionStatus): Promise<boolean> {
    return this.#store.changeStatus(place, status);
  }

  remove(userId: number, service: ServiceKey): Promise<boolean> {
    return this.#store.remove(userId, service);
  }

  #sealed(record: TokenRecord): TokenRecord {
    const { accessToken, refreshToken } = record;
    return {
      ...record,
      accessToken: this.#box.seal(accessToken, contextOf('access_token', record)),
      refreshToken: refreshToken === null ? null : this.#box.seal(refreshToken, contextOf('refresh_token', record)),
    };
  }

  #opened({ record, status }: StoredConnection): StoredConnection {
    const key = contextOf('', record);
    const { refreshToken } = record;
    try {
      const opened = {
        accessToken: this.#box.open(record.accessToken, contextOf('access_token', record)),
        refreshToken: refreshToken === null ? null : this.#box.open(refreshToken, contextOf('refresh_token', record)),
      };
      this.#reported.delete(key);
      return { record: { ...record, ...opened }, status };
    } catch (error) {
      if (!(error instanceof NotOpened)) throw error;
      const { userId, service, updatedAt } = record;
      if (!this.#reported.has(key)) this.#onUnreadable({ userId, service }, error);
      this.#reported.add(key);
      const withoutTokens = { ...record, accessToken: '', refreshToken: null };
      return { record: withoutTokens, status: unreadableSince(updatedAt, error.reason) };
    }
  }
}

/** The encrypted members of a record as it is stored, with the context that each is bound to. */
export function sealedTexts(
  record: TokenRecord,
): readonly Readonly<{ member: 'accessToken' | 'refreshToken'; text: string; context: string }>[] {
  const { accessToken, refreshToken } = record;
  const access = { member: 'accessToken', text: accessToken, context: contextOf('access_token', record) } as const;
  if (refreshToken === null) return [access];
  return [access, { member: 'refreshToken', text: refreshToken, context: contextOf('refresh_token', record) }];
}

/** The context that binds a ciphertext to its column, user and service. */
function contextOf(column: string, { userId, service }: ConnectionPlace): string {
  return `outbound_tokens/${column}/${userId}/${service}`;
}
