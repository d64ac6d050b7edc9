import { flag, list, table, text, whole } from '#infrastructure/database/columns.ts';

/** The users. `emailKey` is the case-folded e-mail. */
export const UserRow = table('users', {
  id: whole().primary().autoincrement(),
  email: text(),
  emailKey: text().unique(),
  passwordHash: text(),
  permissions: list(),
  isAdmin: flag(),
  signedOutBefore: whole().nullable(),
  deactivatedAt: whole().nullable(),
  timeZone: text().nullable(),
  switchedOff: list().nullable(),
});
