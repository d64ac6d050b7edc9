import { failureReasons } from '#domain/operations/outcome.ts';
import { column, table } from '#infrastructure/database/columns.ts';

/** The calls that apps made. */
export const ActivityRow = table('activity', {
  id: column.whole().primary().autoincrement(),
  at: column.whole(),
  userId: column.whole(),
  grantId: column.text().nullable(),
  app: column.text().nullable(),
  service: column.text(),
  operation: column.text(),
  effect: column.oneOf(['read', 'write', 'destroy']),
  recordId: column.text().nullable(),
  outcome: column.oneOf(['ok', ...failureReasons]),
  ms: column.whole(),
  recordUrl: column.text().nullable(),
  keptId: column.text().nullable(),
  partOf: column.text().nullable(),
});
