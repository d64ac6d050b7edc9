import { keptStates } from '#domain/changes/kept-change.ts';
import { effects } from '#domain/operations/effect.ts';
import { column, table } from '#infrastructure/database/columns.ts';

/** The changes that apps made, with what takes them back. Content and reason are encrypted. */
export const KeptChangeRow = table('kept_changes', {
  id: column.text().primary(),
  userId: column.whole(),
  grantId: column.text().nullable(),
  app: column.text().nullable(),
  service: column.text(),
  operation: column.text(),
  effect: column.oneOf(effects),
  recordId: column.text().nullable(),
  at: column.whole(),
  account: column.text(),
  state: column.oneOf(keptStates),
  undoneAt: column.whole().nullable(),
  undoOf: column.text().nullable(),
  partOf: column.text().nullable(),
  irreversible: column.text().nullable(),
  content: column.text(),
});
