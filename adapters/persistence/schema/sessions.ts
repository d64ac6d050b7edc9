import { table, text, whole } from '#infrastructure/database/columns.ts';

/** The sessions of people who signed in; `id` is a digest. */
export const SessionRow = table('sessions', {
  id: text().primary(),
  userId: whole(),
  begunBy: text(),
  begunAt: whole(),
  expiresAt: whole(),
  userAgent: text().nullable(),
});
