import { SqlNotifications } from '#adapters/persistence/sql-notifications.ts';
import type { Notifications } from '#application/ports/notifications.ts';
import { MemoryNotifications } from '#test/doubles/memory-notifications.ts';
import { memorySubject } from '#test/support/contracts/memory-subject.ts';
import { type SqlStore, sqliteSubject } from '#test/support/contracts/sql-subject.ts';

/** Notifications in a database. */
export const sqlNotifications: SqlStore<Notifications> = {
  tables: ['notifications', 'notification_choices'],
  make: (database) => new SqlNotifications(database),
};

/** The stores of notifications that this project has. */
export const notificationStores = [
  memorySubject<Notifications>('memory', () => new MemoryNotifications()),
  sqliteSubject(sqlNotifications),
];
