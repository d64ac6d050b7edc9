import { registrationStates } from '#domain/webhook-registrations/webhook-registration.ts';
import { list, oneOf, table, text, whole } from '#infrastructure/database/columns.ts';

/** The webhook registrations at services. */
export const WebhookRegistrationRow = table('subscriptions', {
  userId: whole().primary(),
  service: text().primary(),
  name: text().primary(),
  events: list(),
  url: text(),
  secretFingerprint: text().fieldName('secret_mark').nullable(),
  account: text().nullable(),
  state: oneOf(registrationStates),
  since: whole(),
  remoteId: text().nullable(),
  registeredAt: whole().nullable(),
  expiresAt: whole().nullable(),
  checkedAt: whole().nullable(),
  failures: whole(),
  retryAt: whole().nullable(),
  reason: text().nullable(),
  version: whole(),
});
