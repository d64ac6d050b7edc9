import { table, text, whole } from '#infrastructure/database/columns.ts';

/** When a webhook secret was last used; `secretId` is a digest. */
export const SecretUseRow = table('webhook_secret_uses', {
  service: text().primary(),
  secretId: text().primary(),
  usedAt: whole(),
});
