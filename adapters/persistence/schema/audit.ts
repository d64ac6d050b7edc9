import { auditActions } from '#domain/audit/audit-entry.ts';
import { column, table } from '#infrastructure/database/columns.ts';

/** What administrators did, and what concerns the security of users. */
export const AuditRow = table('audit', {
  id: column.whole().primary().autoincrement(),
  at: column.whole(),
  actorId: column.whole().nullable(),
  action: column.oneOf(auditActions),
  userId: column.whole().nullable(),
  subject: column.text().nullable(),
  detail: column.text().nullable(),
});
