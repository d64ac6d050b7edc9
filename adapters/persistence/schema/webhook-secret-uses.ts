import { column, table } from '#infrastructure/database/columns.ts';

/** When a webhook secret was last used; `secretId` is a digest. */
export const SecretUseRow = table('webhook_secret_uses', {
  service: column.text().primary(),
  secretId: column.text().primary(),
  usedAt: column.whole(),
});
