import { table, text, whole } from '#infrastructure/database/columns.ts';

/** How authorization codes were exchanged; `code` and `exchange` are digests. */
export const CodeUseRow = table('code_uses', {
  seq: whole().primary().autoincrement(),
  code: text().unique(),
  userId: whole(),
  grantId: text(),
  usedAt: whole(),
  exchange: text(),
});
