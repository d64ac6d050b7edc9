import type { OutboundTokens } from '#application/ports/outbound-tokens.ts';
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

  async all(): Promise<readonly TokenRecord[]> {
    return [...this.#records.values()];
  }

  async keep(record: TokenRecord): Promise<void> {
    this.#records.set(`${record.userId}/${record.service}`, record);
  }

  async remove(userId: number, service: ServiceKey): Promise<boolean> {
    return this.#records.delete(`${userId}/${service}`);
  }
}
