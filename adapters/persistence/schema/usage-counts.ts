import { usageKinds } from '#domain/activity/usage-count.ts';
import { column, table } from '#infrastructure/database/columns.ts';

/** The sums of each hour; `userId` is -1 for those of all users together. */
export const UsageCountRow = table('usage_counts', {
  userId: column.whole().primary(),
  hour: column.whole().primary(),
  kind: column.oneOf(usageKinds).primary(),
  service: column.text().primary(),
  count: column.whole(),
  failed: column.whole(),
  tokens: column.whole(),
});
