import { SqlActivityLog } from '#adapters/persistence/sql-activity-log.ts';
import type { ActivityLog } from '#application/ports/activity-log.ts';
import { MemoryActivityLog } from '#test/doubles/memory-activity-log.ts';
import { memorySubject } from '#test/support/contracts/memory-subject.ts';
import { type SqlStore, sqliteSubject } from '#test/support/contracts/sql-subject.ts';

/** What apps did, in a database. */
export const sqlActivity: SqlStore<ActivityLog> = {
  tables: ['activity', 'activity_apps', 'usage_counts'],
  make: (database) => new SqlActivityLog(database),
};

/** The project's activity logs. */
export const activityLogs = [
  memorySubject<ActivityLog>('memory', () => new MemoryActivityLog()),
  sqliteSubject(sqlActivity),
];
