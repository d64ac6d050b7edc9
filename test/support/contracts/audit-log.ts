import { SqlAuditLog } from '#adapters/persistence/sql-audit-log.ts';
import type { AuditLog } from '#application/ports/audit-log.ts';
import { MemoryAuditLog } from '#test/doubles/memory-audit-log.ts';
import { memorySubject } from '#test/support/contracts/memory-subject.ts';
import { type SqlStore, sqliteSubject } from '#test/support/contracts/sql-subject.ts';

/** The audit log in a database. */
export const sqlAudit: SqlStore<AuditLog> = {
  tables: ['audit'],
  make: (database) => new SqlAuditLog(database),
};

/** The project's audit logs. */
export const auditLogs = [memorySubject<AuditLog>('memory', () => new MemoryAuditLog()), sqliteSubject(sqlAudit)];
