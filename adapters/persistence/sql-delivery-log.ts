import { z } from 'zod';
import type { DeliveryLog, LastDeliveries } from '#application/ports/delivery-log.ts';
import { webhookServiceKeys } from '#domain/services/service-key.ts';
import type { Database } from '#infrastructure/database/open-database.ts';

const time = z.union([z.null(), z.coerce.number().int()]);
const rowsSchema = z.tuple([z.record(z.string(), time)]);

/** Reads the last deliveries from the inbox in the database. */
export class SqlDeliveryLog implements DeliveryLog {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async last(): Promise<LastDeliveries> {
    // One index lookup for each service, however many deliveries there are.
    const columns = webhookServiceKeys.map(
      (service) => `(select max(received_at) from webhook_inbox where service = '${service}') as ${service}`,
    );
    const rows: unknown = await this.#database.em.fork().execute(`select ${columns.join(', ')}`);
    return rowsSchema.parse(rows)[0];
  }
}
