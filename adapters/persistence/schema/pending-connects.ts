import { z } from 'zod';
import { column, table } from '#infrastructure/database/columns.ts';

/** Connections in progress; `state` and `browser` are digests, and the code verifier is encrypted. */
export const PendingConnectRow = table('pending_connects', {
  seq: column.whole().primary().autoincrement(),
  state: column.text().unique(),
  userId: column.whole(),
  service: column.text(),
  browser: column.text(),
  codeVerifier: column.text().nullable(),
  extra: column.json(z.record(z.string(), z.unknown())),
  startedAt: column.whole(),
});
