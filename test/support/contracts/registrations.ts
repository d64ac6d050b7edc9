import { SqlWebhookRegistrations } from '#adapters/persistence/sql-webhook-registrations.ts';
import type { WebhookRegistrations } from '#application/ports/webhook-registrations.ts';
import { MemoryWebhookRegistrations } from '#test/doubles/memory-webhook-registrations.ts';
import { memorySubject } from '#test/support/contracts/memory-subject.ts';
import { type SqlStore, sqliteSubject } from '#test/support/contracts/sql-subject.ts';

/** The webhook registrations in a database. */
export const sqlRegistrations: SqlStore<WebhookRegistrations> = {
  tables: ['subscriptions'],
  make: (database) => new SqlWebhookRegistrations(database),
};

/** The stores of webhook registrations that this project has. */
export const registrationStores = [
  memorySubject<WebhookRegistrations>('memory', () => new MemoryWebhookRegistrations()),
  sqliteSubject(sqlRegistrations),
];
