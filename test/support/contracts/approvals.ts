import type { ApprovalStore } from '#adapters/contracts/change-stores.ts';
import { SqlApprovals } from '#adapters/persistence/sql-approvals.ts';
import { MemoryApprovals } from '#test/doubles/memory-approvals.ts';
import { memorySubject } from '#test/support/contracts/memory-subject.ts';
import { type SqlStore, sqliteSubject } from '#test/support/contracts/sql-subject.ts';

/** Approvals, in a database. */
export const sqlApprovals: SqlStore<ApprovalStore> = {
  tables: ['approvals'],
  make: (database) => new SqlApprovals(database),
};

/** The stores of approvals that this project has. */
export const approvalStores = [
  memorySubject<ApprovalStore>('memory', () => new MemoryApprovals()),
  sqliteSubject(sqlApprovals),
];
