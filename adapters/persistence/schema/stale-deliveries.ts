import { table, text, whole } from '#infrastructure/database/columns.ts';

/** Genuine deliveries that were too old. */
export const StaleDeliveryRow = table('webhook_stale', {
  service: text().primary(),
  deliveryId: text().primary(),
  receivedAt: whole(),
  ageMs: whole().nullable(),
  times: whole(),
});
