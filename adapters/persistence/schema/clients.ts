import { list, table, text, whole } from '#infrastructure/database/columns.ts';

/** The OAuth clients that registered. The secret is encrypted. */
export const ClientRow = table('clients', {
  id: text().primary(),
  secret: text(),
  name: text(),
  redirectUris: list(),
  createdAt: whole(),
  usedAt: whole(),
  signedInAt: whole().nullable(),
});
