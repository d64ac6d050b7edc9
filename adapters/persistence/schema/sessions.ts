import { column, table } from '#infrastructure/database/columns.ts';

/** The sessions of people who signed in; `id` is a digest. */
export const SessionRow = table('sessions', {
  id: column.text().primary(),
  userId: column.whole(),
  begunBy: column.text(),
  begunAt: column.whole(),
  expiresAt: column.whole(),
  userAgent: column.text().nullable(),
  lastSeenAt: column.whole().nullable(),
});
