import { column, table } from '#infrastructure/database/columns.ts';

/** The OAuth clients that registered. The secret is encrypted. */
export const ClientRow = table('clients', {
  id: column.text().primary(),
  secret: column.text(),
  name: column.text(),
  redirectUris: column.list(),
  createdAt: column.whole(),
  usedAt: column.whole(),
  signedInAt: column.whole().nullable(),
});
