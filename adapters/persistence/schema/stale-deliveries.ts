import { column, table } from '#infrastructure/database/columns.ts';

/** Genuine deliveries that were too old. */
export const StaleDeliveryRow = table('webhook_stale', {
  service: column.text().primary(),
  deliveryId: column.text().primary(),
  receivedAt: column.whole(),
  ageMs: column.whole().nullable(),
  times: column.whole(),
});
