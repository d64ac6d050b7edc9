import { askChoices } from '#domain/changes/ask-policy.ts';
import { column, table } from '#infrastructure/database/columns.ts';

/**
 * The apps that users connected. `services` and `isReadonly` are what servers read that know no `scope`: null services
 * are all of them. `scope` is null in rows that such a server stored.
 */
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
  scope: column.text().nullable(),
  switchedOff: column.list().nullable(),
});
