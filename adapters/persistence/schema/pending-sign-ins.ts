import { column, table } from '#infrastructure/database/columns.ts';

/** Sign-ins in progress; `state` and `browser` are digests, and the code verifier, nonce and request are encrypted. */
export const PendingSignInRow = table('pending_sign_ins', {
  seq: column.whole().primary().autoincrement(),
  state: column.text().unique(),
  browser: column.text(),
  codeVerifier: column.text(),
  nonce: column.text(),
  authorize: column.text().nullable(),
  userId: column.whole().nullable(),
  sessionId: column.text().nullable(),
  startedAt: column.whole(),
});
