import type { WebhookRegistration } from '#domain/webhook-registrations/webhook-registration.ts';

/** Stores the webhook registrations, one row per user, service and name: written before and after each registration. */
export interface WebhookRegistrations {
  /** Lists every row, by user, service and name. */
  list(): Promise<readonly WebhookRegistration[]>;
  /**
   * Stores the row in place of the one with its version, 0 for a new one; returns it with its new version. Null, and
   * nothing stored, when another process was faster.
   */
  keep(line: WebhookRegistration): Promise<WebhookRegistration | null>;
  /** Removes the row; false when it is gone, or has another version by now. */
  remove(line: WebhookRegistration): Promise<boolean>;
}
