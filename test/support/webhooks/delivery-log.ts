import { SqlDeliveryLog } from '#adapters/persistence/sql-delivery-log.ts';
import { SqlWebhookInbox } from '#adapters/persistence/sql-webhook-inbox.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import type { Database } from '#infrastructure/database/open-database.ts';
import { testBox } from '#test/support/persistence/test-database.ts';

/** The log of a database, and how a delivery gets into its inbox. */
export function deliveryLogOver(database: Database, clock: Clock) {
  const inbox = new SqlWebhookInbox(database, testBox, clock);
  let deliveries = 0;
  const deliver = async (service: ServiceKey) => {
    deliveries += 1;
    const deliveryId = `delivery-${deliveries}`;
    await inbox.keep([{ service, deliveryId, orderKey: deliveryId, event: 'a.b', body: '{}' }]);
  };
  return { log: new SqlDeliveryLog(database), deliver };
}
