import type { OutboundTokens } from '#application/ports/outbound-tokens.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import type { TokenRecord } from '#domain/tokens/token-record.ts';

/** The address that stands for the team's vault in this process, the key that opens it, and since when (Unix ms). */
export type ServedVault = Readonly<{ url: string; key: string; since: number }>;

/**
 * Connections as they are stored, and for everybody without a vault of their own the team's, which this process serves. That one is
 * answered from memory and never stored: its address means something in this process only. Who may use it is the
 * permission `vault`, which is judged where a connection is used.
 */
export class TeamVault implements OutboundTokens {
  readonly #stored: OutboundTokens;
  #served: ServedVault | null = null;

  constructor(stored: OutboundTokens) {
    this.#stored = stored;
  }

  /** Offers the vault to everybody from now on. */
  serve(vault: ServedVault): void {
    this.#served = vault;
  }

  async find(userId: number, service: ServiceKey): Promise<TokenRecord | null> {
    const stored = await this.#stored.find(userId, service);
    if (service !== 'vault' || this.#served === null || isOwn(stored)) return stored;
    return teamRecord(userId, this.#served);
  }

  async list(userId: number): Promise<readonly TokenRecord[]> {
    const stored = await this.#stored.list(userId);
    const vault = stored.find(({ service }) => service === 'vault') ?? null;
    if (this.#served === null || isOwn(vault)) return stored;
    return [...stored.filter(({ service }) => service !== 'vault'), teamRecord(userId, this.#served)];
  }

  async renewable(): ReturnType<OutboundTokens['renewable']> {
    return this.#stored.renewable();
  }

  async keep(record: TokenRecord): Promise<void> {
    await this.#stored.keep(record);
  }

  async replace(before: TokenRecord, after: TokenRecord): Promise<boolean> {
    return this.#stored.replace(before, after);
  }

  async remove(userId: number, service: ServiceKey): Promise<boolean> {
    return this.#stored.remove(userId, service);
  }
}

/** Whether a user connected this vault themselves; one that the settings named before gives way. */
function isOwn(stored: TokenRecord | null): boolean {
  return stored !== null && stored.extra['from_settings'] !== true;
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
