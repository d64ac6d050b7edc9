import { SqlWebhookRegistrations } from '#adapters/persistence/sql-webhook-registrations.ts';
import { webhookRegistrationsContract } from '#test/contract/webhook-registrations.contract.ts';
import { MemoryWebhookRegistrations } from '#test/doubles/memory-webhook-registrations.ts';
import { openTestSqlite } from '#test/support/persistence/test-database.ts';

webhookRegistrationsContract('memory', async () => ({
  registrations: new MemoryWebhookRegistrations(),
  close: async () => undefined,
}));

webhookRegistrationsContract('SQLite', async () => {
  const { database, close } = await openTestSqlite();
  return { registrations: new SqlWebhookRegistrations(database), close };
});
