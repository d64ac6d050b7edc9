import { table, text, whole } from '#infrastructure/database/columns.ts';

/** Codes that can still be exchanged; `code` is a digest. */
export const AuthorizationCodeRow = table('authorization_codes', {
  seq: whole().primary().autoincrement(),
  code: text().unique(),
  clientId: text(),
  userId: whole(),
  redirectUri: text(),
  codeChallenge: text().nullable(),
  expiresAt: whole(),
  scope: text().nullable(),
});
