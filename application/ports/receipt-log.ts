import type { ServiceKey } from '#domain/services/service-key.ts';

/** When a secret last verified a delivery, Unix ms. `secretId` tells secrets apart and gives none away. */
export type SecretUse = Readonly<{ service: ServiceKey; secretId: string; usedAt: number }>;

/** A delivery that was the sender's own and was refused for its age; `times` counts how often it came. */
export type StaleDelivery = Readonly<{
  service: ServiceKey;
  deliveryId: string;
  /** The last time it came, Unix ms. */
  receivedAt: number;
  /** How old it was then; negative for one from the future, null when it does not tell its time. */
  ageMs: number | null;
  times: number;
}>;

/** How many stale deliveries are remembered; the one that came longest ago goes first. */
export const maxStale = 500;

/** What is noted of receipts beside the inbox: which secrets are in use, and what came too late. */
export interface ReceiptLog {
  /** Notes the use; an earlier time never replaces a later one. */
  noteUse(use: SecretUse): Promise<void>;
  /** All uses, by service and id. */
  uses(): Promise<readonly SecretUse[]>;
  /** Notes a stale delivery; one that is known by service and id is counted again. */
  noteStale(stale: Omit<StaleDelivery, 'times'>): Promise<void>;
  /** The stale deliveries, the latest first, at most `limit`. */
  stale(limit: number): Promise<readonly StaleDelivery[]>;
}
