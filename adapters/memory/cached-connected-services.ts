import type { ConnectedServices } from '#application/ports/connected-services.ts';
import type { OutboundTokens } from '#application/ports/outbound-tokens.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import { isTeams, type TokenRecord } from '#domain/tokens/token-record.ts';
import { ReadThrough } from '#infrastructure/memory/read-through.ts';

/** How long answers are kept, how many, and who is told of a user whose connections change here. */
export type CachedServicesOptions = Readonly<{ ttlMs?: number; max?: number; onChange?: (userId: number) => void }>;

type Known = Readonly<{ services: ReadonlySet<ServiceKey>; isInTeamVault: boolean }>;

/**
 * Connections as they are, and which services they are for answered from memory. A change made through this object is seen at
 * once; one made by another process after `ttlMs` at the latest.
 */
export class CachedConnectedServices implements OutboundTokens, ConnectedServices {
  readonly #tokens: OutboundTokens;
  readonly #known: ReadThrough<number, Known>;
  readonly #onChange: (userId: number) => void;

  constructor(tokens: OutboundTokens, { ttlMs = 2_000, max = 1_000, onChange = () => {} }: CachedServicesOptions = {}) {
    this.#tokens = tokens;
    this.#onChange = onChange;
    this.#known = new ReadThrough({ max, ttl: ttlMs });
  }

  async of(userId: number): Promise<ReadonlySet<ServiceKey>> {
    return (await this.#look(userId)).services;
  }

  async isInTeamVault(userId: number): Promise<boolean> {
    return (await this.#look(userId)).isInTeamVault;
  }

  async find(userId: number, service: ServiceKey): Promise<TokenRecord | null> {
    return this.#tokens.find(userId, service);
  }

  async list(userId: number): Promise<readonly TokenRecord[]> {
    return this.#tokens.list(userId);
  }

  async renewable(): ReturnType<OutboundTokens['renewable']> {
    return this.#tokens.renewable();
  }

  async replace(...change: Parameters<OutboundTokens['replace']>): ReturnType<OutboundTokens['replace']> {
    return this.#tokens.replace(...change);
  }

  async keep(record: TokenRecord): Promise<void> {
    await this.#tokens.keep(record);
    this.#forget(record.userId);
  }

  async remove(userId: number, service: ServiceKey): Promise<boolean> {
    const isRemoved = await this.#tokens.remove(userId, service);
    this.#forget(userId);
    return isRemoved;
  }

  #look(userId: number): Promise<Known> {
    return this.#known.get(userId, async () => {
      const records = await this.#tokens.list(userId);
      return { services: new Set(records.map(({ service }) => service)), isInTeamVault: records.some(isTeams) };
    });
  }

  #forget(userId: number): void {
    this.#known.forget(userId);
    this.#onChange(userId);
  }
}
