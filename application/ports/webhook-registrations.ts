import type { WebhookRegistration } from '#domain/webhook-registrations/webhook-registration.ts';

/**
 * Stores the webhook registrations, one row per user, service and name; written before and after each registration
 * request.
 */
export interface WebhookRegistrations {
  /** Lists all rows, by user, service and name. */
  list(): Promise<readonly WebhookRegistration[]>;
  /**
   * Stores the row if the stored one still has its version, 0 for a new one (optimistic locking); returns it with its
   * new version, or null, with nothing stored, otherwise.
   */
  keep(line: WebhookRegistration): Promise<WebhookRegistration | null>;
  /** Removes the row; false when it no longer exists or has another version. */
  remove(line: WebhookRegistration): Promise<boolean>;
}
