import type { OutboundTokens, TokenPlace } from '#application/ports/outbound-tokens.ts';
import { type ServiceKey, serviceKeys } from '#domain/services/service-key.ts';
import type { TokenRecord } from '#domain/tokens/token-record.ts';

/** The connections in memory, plain. */
export class MemoryOutboundTokens implements OutboundTokens {
  readonly #records = new Map<string, TokenRecord>();

  async find(userId: number, service: ServiceKey): Promise<TokenRecord | null> {
    return this.#records.get(`${userId}/${service}`) ?? null;
  }

  async list(userId: number): Promise<readonly TokenRecord[]> {
    return serviceKeys.flatMap((service) => this.#records.get(`${userId}/${service}`) ?? []);
  }

  async renewable(): Promise<readonly TokenPlace[]> {
    return [...this.#records.values()]
      .filter(({ refreshToken, expiresAt }) => refreshToken !== null && expiresAt !== null)
      .map(({ userId, service }) => ({ userId, service }));
  }

  async replace(before: TokenRecord, after: TokenRecord): Promise<boolean> {
    const place = `${before.userId}/${before.service}`;
    if (this.#records.get(place)?.accessToken !== before.accessToken) return false;
    this.#records.set(place, after);
    return true;
  }

  async keep(record: TokenRecord): Promise<void> {
    this.#records.set(`${record.userId}/${record.service}`, record);
  }

  async remove(userId: number, service: ServiceKey): Promise<boolean> {
    return this.#records.delete(`${userId}/${service}`);
  }
}
