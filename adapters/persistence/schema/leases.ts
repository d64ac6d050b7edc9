import { column, table } from '#infrastructure/database/columns.ts';

/** Locks that one process at a time holds. */
export const LeaseRow = table('leases', {
  name: column.text().primary(),
  owner: column.text(),
  until: column.whole(),
  fencing: column.whole(),
});
