import { raw } from '@mikro-orm/core';
import { nowSql } from '#adapters/persistence/database-clock.ts';
import { ClientRow } from '#adapters/persistence/schema/clients.ts';
import type { Clients } from '#application/ports/clients.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { Client } from '#domain/oauth/client.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';
import type { Database } from '#infrastructure/database/open-database.ts';
import { Table } from '#infrastructure/database/table.ts';

const columns = ['id', 'secret', 'name', 'redirectUris', 'createdAt'] as const;

/** Stores OAuth clients in the database, for all servers that share it. */
export class SqlClients implements Clients {
  readonly #clients;
  readonly #now: () => string;
  readonly #max: number;

  /** Without a clock, the database's time is used. `max` bounds the number of clients (REG-014). */
  constructor(database: Database, clock: Clock | null = null, max = 10_000) {
    this.#clients = new Table(database, ClientRow);
    this.#now = () => nowSql(database.kind, clock);
    this.#max = max;
  }

  async keep({ id, secret, name, redirectUris, createdAt }: Client): Promise<void> {
    const query = this.#clients.into({ id, secret, name, redirectUris, createdAt, usedAt: raw(this.#use()) });
    await query
      .onConflict(['id'])
      .merge([...columns, 'usedAt'])
      .execute('run');
    await this.#makeRoom(id);
  }

  async find(id: string): Promise<Result<Client, { reason: 'not_found' }>> {
    const query = this.#clients
      .qb()
      .update({ usedAt: raw(this.#use()) })
      .where({ id })
      .returning([...columns]);
    const [client] = await this.#clients.some(query, columns);
    return client === undefined ? err({ reason: 'not_found' }) : ok(client);
  }

  async noteSignIn(id: string): Promise<void> {
    await this.#clients.update({ id }, { signedInAt: raw(this.#now()) });
  }

  /** The time of a use, in Unix ms: now, or slightly later so that no two uses have the same time. */
  #use(): string {
    const now = this.#now();
    const last = '(select max(used_at) from clients)';
    return `case when ${last} >= ${now} then ${last} + 1 else ${now} end`;
  }

  /**
   * Evicts clients over the limit, except the one just stored. Concurrent writers may leave a few too many, which the
   * next write removes.
   */
  async #makeRoom(kept: string): Promise<void> {
    const excess = (await this.#clients.qb().getCount()) - this.#max;
    if (excess <= 0) return;
    const unused = this.#clients
      .qb()
      .select('id')
      .where({ id: { $ne: kept } });
    unused
      .orderBy([{ [raw('case when signed_in_at is null then 0 else 1 end')]: 'asc' }, { usedAt: 'asc' }])
      .limit(excess);
    await this.#clients.delete({ id: { $in: unused } });
  }
}
