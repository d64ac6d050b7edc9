import { MikroOrmSubscriptionLedger } from '#adapters/persistence/mikro-orm-subscription-ledger.ts';
import { subscriptionLedgerContract } from '#test/contract/subscription-ledger.contract.ts';
import { MemorySubscriptionLedger } from '#test/doubles/memory-subscription-ledger.ts';
import { openTestSqlite } from '#test/support/persistence/test-database.ts';

subscriptionLedgerContract('memory', async () => ({
  ledger: new MemorySubscriptionLedger(),
  close: async () => undefined,
}));

subscriptionLedgerContract('SQLite', async () => {
  const { database, close } = await openTestSqlite();
  return { ledger: new MikroOrmSubscriptionLedger(database), close };
});
