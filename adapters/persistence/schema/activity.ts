import { failureReasons } from '#domain/operations/outcome.ts';
import { oneOf, table, text, whole } from '#infrastructure/database/columns.ts';

/** The calls that apps made. */
export const ActivityRow = table('activity', {
  id: whole().primary().autoincrement(),
  at: whole(),
  userId: whole(),
  grantId: text().nullable(),
  app: text().nullable(),
  service: text(),
  operation: text(),
  effect: oneOf(['read', 'write', 'destroy']),
  recordId: text().nullable(),
  outcome: oneOf(['ok', ...failureReasons]),
  ms: whole(),
  recordUrl: text().nullable(),
});
