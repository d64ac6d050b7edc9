import type { DeliveryLog, LastDeliveries } from '#application/ports/delivery-log.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';

/** Last deliveries in memory, as they are noted. */
export class MemoryDeliveryLog implements DeliveryLog {
  #last: LastDeliveries = { sales_crm: null, signing: null, suite_crm: null, tracker: null };

  /** Notes a delivery; an earlier time never replaces a later one. */
  note(service: ServiceKey, at: number): void {
    this.#last = { ...this.#last, [service]: Math.max(at, this.#last[service] ?? at) };
  }

  async last(): Promise<LastDeliveries> {
    return this.#last;
  }
}
