import { column, table } from '#infrastructure/database/columns.ts';

/** The identities at identity providers; `id` is a digest, and those without a user are of deleted users. */
export const IdentityRow = table('identities', {
  id: column.text().primary(),
  userId: column.whole().nullable(),
  issuer: column.text(),
  email: column.text().nullable(),
  linkedAt: column.whole(),
  lastUsedAt: column.whole().nullable(),
});
