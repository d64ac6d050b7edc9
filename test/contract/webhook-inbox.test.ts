import { SqlWebhookInbox } from '#adapters/persistence/sql-webhook-inbox.ts';
import { webhookInboxContract } from '#test/contract/webhook-inbox.contract.ts';
import { MemoryWebhookInbox } from '#test/doubles/memory-webhook-inbox.ts';
import { openTestSqlite } from '#test/support/persistence/test-database.ts';

webhookInboxContract('memory', async (clock) => ({
  inbox: new MemoryWebhookInbox(clock),
  close: async () => undefined,
}));

webhookInboxContract('SQLite', async (clock) => {
  const { database, close } = await openTestSqlite();
  return { inbox: new SqlWebhookInbox(database, clock), close };
});
