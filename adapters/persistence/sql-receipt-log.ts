import { z } from 'zod';
import { maxStale, type ReceiptLog, type SecretUse, type StaleDelivery } from '#application/ports/receipt-log.ts';
import type { Database } from '#infrastructure/database/open-database.ts';

const service = z.string();
const whole = z.coerce.number().int();
const useRow = z
  .object({ service, secret_id: z.string(), used_at: whole })
  .transform((row) => ({ service: row.service, secretId: row.secret_id, usedAt: row.used_at }));
const staleRow = z
  .object({
    service,
    delivery_id: z.string(),
    received_at: whole,
    age_ms: z.union([z.null(), whole]),
    times: whole,
  })
  .transform((row) => ({
    service: row.service,
    deliveryId: row.delivery_id,
    receivedAt: row.received_at,
    ageMs: row.age_ms,
    times: row.times,
  }));
const uses = { table: 'webhook_secret_uses', keys: ['service', 'secret_id'] } as const;
const stale = { table: 'webhook_stale', keys: ['service', 'delivery_id'] } as const;

/** Stores the log of receipts in the database. */
export class SqlReceiptLog implements ReceiptLog {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async noteUse(use: SecretUse): Promise<void> {
    await this.#database.em.fork().execute(
      `insert into webhook_secret_uses (service, secret_id, used_at) values (?, ?, ?)
       on conflict (service, secret_id) do update set used_at = excluded.used_at
       where excluded.used_at > webhook_secret_uses.used_at`,
      [use.service, use.secretId, use.usedAt],
    );
  }

  async uses(): Promise<readonly SecretUse[]> {
    const rows: unknown[] = await this.#database.em
      .fork()
      .execute('select service, secret_id, used_at from webhook_secret_uses order by service, secret_id');
    return this.#database.rows.read(uses, rows, (row) => useRow.parse(row));
  }

  async noteStale({ service: of, deliveryId, receivedAt, ageMs }: Omit<StaleDelivery, 'times'>): Promise<void> {
    await this.#database.em.fork().transactional(async (em) => {
      await em.execute(
        `insert into webhook_stale (service, delivery_id, received_at, age_ms, times) values (?, ?, ?, ?, 1)
         on conflict (service, delivery_id) do update set received_at = excluded.received_at, age_ms = excluded.age_ms,
           times = webhook_stale.times + 1`,
        [of, deliveryId, receivedAt, ageMs],
      );
      await em.execute(
        `delete from webhook_stale where (service, delivery_id) in (
           select service, delivery_id from webhook_stale order by received_at desc, delivery_id limit 100 offset ${maxStale})`,
      );
    });
  }

  /** Concurrent writers may have left a few entries too many, which the next write removes. */
  async stale(limit: number): Promise<readonly StaleDelivery[]> {
    const rows: unknown[] = await this.#database.em.fork().execute(
      `select service, delivery_id, received_at, age_ms, times from webhook_stale
       order by received_at desc, delivery_id limit ${Math.trunc(Math.min(limit, maxStale))}`,
    );
    return this.#database.rows.read(stale, rows, (row) => staleRow.parse(row));
  }
}
