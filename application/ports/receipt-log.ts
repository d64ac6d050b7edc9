import type { ServiceKey } from '#domain/services/service-key.ts';

/** When a secret last verified a delivery, Unix ms. `secretId` identifies the secret and reveals nothing of it. */
export type SecretUse = Readonly<{ service: ServiceKey; secretId: string; usedAt: number }>;

/** An authentic delivery that was rejected for its age; `times` counts how often it came. */
export type StaleDelivery = Readonly<{
  service: ServiceKey;
  deliveryId: string;
  /** The last time it came, Unix ms. */
  receivedAt: number;
  /** Its age then; negative for one from the future, null when it carries no time. */
  ageMs: number | null;
  times: number;
}>;

/** The number of stale deliveries that are kept; the least recent is dropped first. */
export const maxStale = 500;

/** Records facts about receipts beside the inbox: which secrets are in use, and which deliveries were stale. */
export interface ReceiptLog {
  /** Records the use; an earlier time never replaces a later one. */
  noteUse(use: SecretUse): Promise<void>;
  /** Lists all uses, by service and id. */
  uses(): Promise<readonly SecretUse[]>;
  /** Records a stale delivery; one that is known by service and id is counted again. */
  noteStale(stale: Omit<StaleDelivery, 'times'>): Promise<void>;
  /** Lists the stale deliveries, the latest first, at most `limit`. */
  stale(limit: number): Promise<readonly StaleDelivery[]>;
}
