import { SqlReceiptLog } from '#adapters/persistence/sql-receipt-log.ts';
import type { ReceiptLog } from '#application/ports/receipt-log.ts';
import { MemoryReceiptLog } from '#test/doubles/memory-receipt-log.ts';
import { memorySubject } from '#test/support/contracts/memory-subject.ts';
import { type SqlStore, sqliteSubject } from '#test/support/contracts/sql-subject.ts';

/** The log of receipts in a database. */
export const sqlReceipts: SqlStore<ReceiptLog> = {
  tables: ['webhook_secret_uses', 'webhook_stale'],
  make: (database) => new SqlReceiptLog(database),
};

/** The logs of receipts that this project has. */
export const receiptStores = [
  memorySubject<ReceiptLog>('memory', () => new MemoryReceiptLog()),
  sqliteSubject(sqlReceipts),
];
