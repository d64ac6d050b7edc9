import { table, text, whole } from '#infrastructure/database/columns.ts';

/** Locks that one process at a time holds. */
export const LeaseRow = table('leases', {
  name: text().primary(),
  owner: text(),
  until: whole(),
  fencing: whole(),
});
