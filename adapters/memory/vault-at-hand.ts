import type { OutboundTokens } from '#application/ports/outbound-tokens.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import type { TokenRecord } from '#domain/tokens/token-record.ts';

/**
 * Connections as they are stored, save one to the vault that this very process serves: it is answered from memory and never
 * stored, since another process on the same data has a vault of its own. A vault that the user connected himself comes first.
 */
export class VaultAtHand implements OutboundTokens {
  readonly #stored: OutboundTokens;
  readonly #vault: TokenRecord;

  constructor(stored: OutboundTokens, vault: TokenRecord) {
    this.#stored = stored;
    this.#vault = vault;
  }

  async find(userId: number, service: ServiceKey): Promise<TokenRecord | null> {
    const stored = await this.#stored.find(userId, service);
    const isHere = userId === this.#vault.userId && service === 'vault';
    return isHere && (stored === null || stored.extra['from_settings'] === true) ? this.#vault : stored;
  }

  async list(userId: number): Promise<readonly TokenRecord[]> {
    const vault = await this.find(userId, 'vault');
    const others = (await this.#stored.list(userId)).filter(({ service }) => service !== 'vault');
    return vault === null ? others : [...others, vault];
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
