import { MikroOrmPartyLinks } from '#adapters/persistence/mikro-orm-party-links.ts';
import { MikroOrmReceiptLog } from '#adapters/persistence/mikro-orm-receipt-log.ts';
import { receiptsContract } from '#test/contract/receipt-log.contract.ts';
import { MemoryPartyLinks } from '#test/doubles/memory-party-links.ts';
import { MemoryReceiptLog } from '#test/doubles/memory-receipt-log.ts';
import { openTestSqlite } from '#test/support/persistence/test-database.ts';

receiptsContract('memory', async () => ({
  receipts: new MemoryReceiptLog(),
  partyLinks: new MemoryPartyLinks(),
  close: async () => undefined,
}));

receiptsContract('SQLite', async () => {
  const { database, close } = await openTestSqlite();
  return { receipts: new MikroOrmReceiptLog(database), partyLinks: new MikroOrmPartyLinks(database), close };
});
