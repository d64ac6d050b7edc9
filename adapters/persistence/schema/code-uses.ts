import { column, table } from '#infrastructure/database/columns.ts';

/** How authorization codes were exchanged; `code` and `exchange` are digests. */
export const CodeUseRow = table('code_uses', {
  seq: column.whole().primary().autoincrement(),
  code: column.text().unique(),
  userId: column.whole(),
  grantId: column.text(),
  usedAt: column.whole(),
  exchange: column.text(),
});
