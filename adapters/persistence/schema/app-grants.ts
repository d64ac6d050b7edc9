import { flag, list, table, text, whole } from '#infrastructure/database/columns.ts';

/** The apps that users connected. Null services are all of them. */
export const GrantRow = table('app_grants', {
  id: text().primary(),
  userId: whole(),
  clientId: text(),
  clientName: text(),
  services: list().nullable(),
  isReadonly: flag(),
  since: whole(),
  lastUsedAt: whole().nullable(),
});
