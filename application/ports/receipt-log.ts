import type { ServiceKey } from '#domain/services/service-key.ts';

/** When a secret last verified a delivery, Unix ms. `secretId` identifies the secret without revealing it. */
export type SecretUse = Readonly<{ service: ServiceKey; secretId: string; usedAt: number }>;

/** An authentic delivery that was rejected because of its age; `times` counts its receipts. */
export type StaleDelivery = Readonly<{
  service: ServiceKey;
  deliveryId: string;
  /** When it was last received, Unix ms. */
  receivedAt: number;
  /** Its age at that time; negative for one from the future, null when it carries no time. */
  ageMs: number | null;
  times: number;
}>;

/** The maximum number of stale deliveries kept; the least recent are evicted first. */
export const maxStale = 500;

/** Records facts about receipts outside the inbox: which secrets are in use, and which deliveries were stale. */
export interface ReceiptLog {
  /** Records the use; never moves the recorded time back. */
  noteUse(use: SecretUse): Promise<void>;
  /** Lists all uses, by service and id. */
  uses(): Promise<readonly SecretUse[]>;
  /** Records a stale delivery; counts one that is already recorded, by service and id, again. */
  noteStale(stale: Omit<StaleDelivery, 'times'>): Promise<void>;
  /** Lists the stale deliveries, the latest first, at most `limit`. */
  stale(limit: number): Promise<readonly StaleDelivery[]>;
}
