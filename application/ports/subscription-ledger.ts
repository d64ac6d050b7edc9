import type { Subscription } from '#domain/subscriptions/subscription.ts';

/** What was registered where, one line per user, service and name: written down before and after each registration. */
export interface SubscriptionLedger {
  /** Every line, by user, service and name. */
  list(): Promise<readonly Subscription[]>;
  /**
   * Keeps the line in place of the one with its version, 0 for none yet; gives it back with its new version. Null, and
   * nothing kept, when another was faster.
   */
  keep(line: Subscription): Promise<Subscription | null>;
  /** Removes the line; false when it is gone, or has another version by now. */
  remove(line: Subscription): Promise<boolean>;
}
