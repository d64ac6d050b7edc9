import type { ServiceKey } from '#domain/services/service-key.ts';

/** The time of each service's last verified delivery, Unix ms; null for never. */
export type LastDeliveries = Readonly<Record<ServiceKey, number | null | undefined>>;

/** A log of past deliveries. */
export interface DeliveryLog {
  /** Returns each service's last delivery; a repeated one counts as of its first time. */
  last(): Promise<LastDeliveries>;
}
