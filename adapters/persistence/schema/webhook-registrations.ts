import { registrationStates } from '#domain/webhook-registrations/webhook-registration.ts';
import { column, table } from '#infrastructure/database/columns.ts';

/** The webhook registrations at services. */
export const WebhookRegistrationRow = table('subscriptions', {
  userId: column.whole().primary(),
  service: column.text().primary(),
  name: column.text().primary(),
  events: column.list(),
  url: column.text(),
  secretFingerprint: column.text().fieldName('secret_mark').nullable(),
  account: column.text().nullable(),
  state: column.oneOf(registrationStates),
  since: column.whole(),
  remoteId: column.text().nullable(),
  registeredAt: column.whole().nullable(),
  expiresAt: column.whole().nullable(),
  checkedAt: column.whole().nullable(),
  failures: column.whole(),
  retryAt: column.whole().nullable(),
  reason: column.text().nullable(),
  version: column.whole(),
});
