import type { ServiceKey } from '#domain/services/service-key.ts';

/** When each service last delivered something that was verified, Unix ms; null for never. */
export type LastDeliveries = Readonly<Record<ServiceKey, number | null | undefined>>;

/** What has been delivered, as a log to look back into. */
export interface DeliveryLog {
  /** The last delivery of each service; one that was sent again counts as of its first time. */
  last(): Promise<LastDeliveries>;
}
