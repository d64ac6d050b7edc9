import { deliveryLogContract } from '#test/contract/delivery-log.contract.ts';
import { MemoryDeliveryLog } from '#test/doubles/memory-delivery-log.ts';
import { openTestSqlite } from '#test/support/persistence/test-database.ts';
import { deliveryLogOver } from '#test/support/webhooks/delivery-log.ts';

deliveryLogContract('memory', async (clock) => {
  const log = new MemoryDeliveryLog();
  return { log, deliver: async (service) => log.note(service, clock.now()), close: async () => undefined };
});

deliveryLogContract('SQLite', async (clock) => {
  const { database, close } = await openTestSqlite();
  return { ...deliveryLogOver(database, clock), close };
});
