import { column, table } from '#infrastructure/database/columns.ts';

/** The users. `emailKey` is the case-folded e-mail, `searchKey` that with the name. */
export const UserRow = table('users', {
  id: column.whole().primary().autoincrement(),
  email: column.text(),
  emailKey: column.text().unique(),
  passwordHash: column.text(),
  permissions: column.list(),
  isAdmin: column.flag(),
  signedOutBefore: column.whole().nullable(),
  deactivatedAt: column.whole().nullable(),
  timeZone: column.text().nullable(),
  switchedOff: column.list().nullable(),
  name: column.text().nullable(),
  invitedAt: column.whole().nullable(),
  seenAt: column.whole().nullable(),
  searchKey: column.text().nullable(),
});
