import type { Effect } from '#domain/operations/effect.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';

/** An app's operation that its user always allows. `at` is Unix ms. */
export type AllowedAlways = Readonly<{
  userId: number;
  grantId: string;
  service: ServiceKey;
  operation: string;
  at: number;
}>;

/** Stores what users always allow. */
export interface AllowedOperations {
  /** Stores one; a second one for the same operation changes nothing. */
  keep(allowed: AllowedAlways): Promise<void>;
  /** Lists those of a user, by app and operation. */
  list(userId: number): Promise<readonly AllowedAlways[]>;
  /** Removes one; false when there is none. */
  remove(allowed: Omit<AllowedAlways, 'at'>): Promise<boolean>;
  /** Removes all of a grant, or of a user when `grantId` is null. */
  removeOf(userId: number, grantId: string | null): Promise<void>;
}

/** What an administrator has asked first, of every app. */
export interface ApprovalFloor {
  /** Whether a change of this effect in this service is asked first; answered from memory. */
  asks(service: ServiceKey, effect: Effect): boolean;
}
