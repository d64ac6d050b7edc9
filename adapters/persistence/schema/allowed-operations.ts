import { column, table } from '#infrastructure/database/columns.ts';

/** The operations of apps that their users always allow. */
export const AllowedOperationRow = table('allowed_operations', {
  userId: column.whole().primary(),
  grantId: column.text().primary(),
  service: column.text().primary(),
  operation: column.text().primary(),
  at: column.whole(),
});
