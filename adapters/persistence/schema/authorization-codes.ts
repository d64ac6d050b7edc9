import { askChoices } from '#domain/changes/ask-policy.ts';
import { column, table } from '#infrastructure/database/columns.ts';

/** Codes that can still be exchanged; `code` is a digest. */
export const AuthorizationCodeRow = table('authorization_codes', {
  seq: column.whole().primary().autoincrement(),
  code: column.text().unique(),
  clientId: column.text(),
  userId: column.whole(),
  redirectUri: column.text(),
  codeChallenge: column.text().nullable(),
  expiresAt: column.whole(),
  scope: column.text().nullable(),
  ask: column.oneOf(askChoices).nullable(),
});
