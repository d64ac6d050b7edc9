import { raw } from '@mikro-orm/core';
import { StaleDeliveryRow } from '#adapters/persistence/schema/stale-deliveries.ts';
import { SecretUseRow } from '#adapters/persistence/schema/webhook-secret-uses.ts';
import { maxStale, type ReceiptLog, type SecretUse, type StaleDelivery } from '#application/ports/receipt-log.ts';
import type { Database } from '#infrastructure/database/open-database.ts';
import { Table } from '#infrastructure/database/table.ts';

/** Stores the log of receipts in the database. */
export class SqlReceiptLog implements ReceiptLog {
  readonly #database: Database;
  readonly #uses;
  readonly #stale;

  constructor(database: Database) {
    this.#database = database;
    this.#uses = new Table(database, SecretUseRow);
    this.#stale = new Table(database, StaleDeliveryRow);
  }

  async noteUse(use: SecretUse): Promise<void> {
    const query = this.#uses.into(use).onConflict(['service', 'secretId']).merge(['usedAt']);
    await query.where({ usedAt: { $lt: use.usedAt } }).execute('run');
  }

  uses(): Promise<readonly SecretUse[]> {
    return this.#uses.list({}, { service: 'asc', secretId: 'asc' });
  }

  async noteStale(stale: Omit<StaleDelivery, 'times'>): Promise<void> {
    const { receivedAt, ageMs } = stale;
    await this.#database.em.fork().transactional(async (em) => {
      const query = this.#stale.into({ ...stale, times: 1 }, em).onConflict(['service', 'deliveryId']);
      await query.merge({ receivedAt, ageMs, times: raw('webhook_stale.times + 1') }).execute('run');
      await this.#stale.evict('received_at desc, delivery_id', maxStale, em);
    });
  }

  /** Concurrent writers may have left a few entries too many, which the next write removes. */
  stale(limit: number): Promise<readonly StaleDelivery[]> {
    const query = this.#stale.qb().select('*').orderBy({ receivedAt: 'desc', deliveryId: 'asc' });
    return this.#stale.rows(query.limit(Math.trunc(Math.min(limit, maxStale))));
  }
}
