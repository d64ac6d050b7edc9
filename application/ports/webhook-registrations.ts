import type { WebhookRegistration } from '#domain/webhook-registrations/webhook-registration.ts';

/** What was registered where, one row per user, service and name: kept before and after each registration. */
export interface WebhookRegistrations {
  /** Every line, by user, service and name. */
  list(): Promise<readonly WebhookRegistration[]>;
  /**
   * Keeps the line in place of the one with its version, 0 for none yet; gives it back with its new version. Null, and
   * nothing kept, when another was faster.
   */
  keep(line: WebhookRegistration): Promise<WebhookRegistration | null>;
  /** Removes the line; false when it is gone, or has another version by now. */
  remove(line: WebhookRegistration): Promise<boolean>;
}
