import { SqlPartyLinks } from '#adapters/persistence/sql-party-links.ts';
import { SqlReceiptLog } from '#adapters/persistence/sql-receipt-log.ts';
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
  return { receipts: new SqlReceiptLog(database), partyLinks: new SqlPartyLinks(database), close };
});
