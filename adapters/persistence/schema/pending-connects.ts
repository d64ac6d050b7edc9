import { z } from 'zod';
import { json, table, text, whole } from '#infrastructure/database/columns.ts';

/** Connections in progress; `state` and `browser` are digests, and the code verifier is encrypted. */
export const PendingConnectRow = table('pending_connects', {
  seq: whole().primary().autoincrement(),
  state: text().unique(),
  userId: whole(),
  service: text(),
  browser: text(),
  codeVerifier: text().nullable(),
  extra: json(z.record(z.string(), z.unknown())),
  startedAt: whole(),
});
