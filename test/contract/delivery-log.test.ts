import { MemoryDeliveryLog } from '#adapters/memory/memory-delivery-log.ts';
import { deliveryLogContract } from '#test/contract/delivery-log.contract.ts';
import { deliveryLogOver } from '#test/support/delivery-log.ts';
import { openTestSqlite } from '#test/support/webhook-database.ts';

deliveryLogContract('memory', async (clock) => {
  const log = new MemoryDeliveryLog();
  return { log, deliver: async (service) => log.note(service, clock.now()), close: async () => undefined };
});

deliveryLogContract('SQLite', async (clock) => {
  const { database, close } = await openTestSqlite();
  return { ...deliveryLogOver(database, clock), close };
});
