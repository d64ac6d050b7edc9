import { askChoices } from '#domain/changes/ask-policy.ts';
import { column, table } from '#infrastructure/database/columns.ts';

/** The apps that users connected. Null services are all of them. */
export const GrantRow = table('app_grants', {
  id: column.text().primary(),
  userId: column.whole(),
  clientId: column.text(),
  clientName: column.text(),
  services: column.list().nullable(),
  isReadonly: column.flag(),
  ask: column.oneOf(askChoices).nullable(),
  since: column.whole(),
  lastUsedAt: column.whole().nullable(),
  expiresAt: column.whole().nullable(),
});
