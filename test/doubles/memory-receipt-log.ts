import { maxStale, type ReceiptLog, type SecretUse, type StaleDelivery } from '#application/ports/receipt-log.ts';
import { frozenCopy } from '#infrastructure/memory/frozen-copy.ts';

/** The log of receipts in memory. */
export class MemoryReceiptLog implements ReceiptLog {
  readonly #uses = new Map<string, SecretUse>();
  readonly #stale = new Map<string, StaleDelivery>();

  async noteUse(use: SecretUse): Promise<void> {
    const key = `${use.service}/${use.secretId}`;
    if (use.usedAt > (this.#uses.get(key)?.usedAt ?? -1)) this.#uses.set(key, frozenCopy(use));
  }

  async uses(): Promise<readonly SecretUse[]> {
    return [...this.#uses].toSorted(([left], [right]) => (left < right ? -1 : 1)).map(([, use]) => use);
  }

  async noteStale(stale: Omit<StaleDelivery, 'times'>): Promise<void> {
    const key = `${stale.service}/${stale.deliveryId}`;
    this.#stale.set(key, frozenCopy({ ...stale, times: (this.#stale.get(key)?.times ?? 0) + 1 }));
    const kept = new Set(this.#latest(maxStale));
    for (const [at, one] of this.#stale) if (!kept.has(one)) this.#stale.delete(at);
  }

  async stale(limit: number): Promise<readonly StaleDelivery[]> {
    return this.#latest(limit);
  }

  #latest(limit: number): readonly StaleDelivery[] {
    return [...this.#stale.values()]
      .toSorted((left, right) => right.receivedAt - left.receivedAt || (left.deliveryId < right.deliveryId ? -1 : 1))
      .slice(0, limit);
  }
}
