import { z } from 'zod';
import { nowSql } from '#adapters/persistence/database-clock.ts';
import type { Clients } from '#application/ports/clients.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { Client } from '#domain/oauth/client.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';
import type { Database } from '#infrastructure/database/open-database.ts';

const urisSchema = z.array(z.string());
const rowSchema = z.object({
  id: z.string(),
  secret: z.string(),
  name: z.string(),
  redirect_uris: z.string(),
  created_at: z.coerce.number().int(),
});
const place = { table: 'clients', keys: ['id'] } as const;
const countSchema = z.tuple([z.object({ clients: z.coerce.number().int() })]);

/** Stores OAuth clients in the database, for all servers that share it. */
export class SqlClients implements Clients {
  readonly #database: Database;
  readonly #clock: Clock | null;
  readonly #max: number;

  /** Without a clock, the database's time is used. `max` bounds the number of clients (REG-014). */
  constructor(database: Database, clock: Clock | null = null, max = 10_000) {
    this.#database = database;
    this.#clock = clock;
    this.#max = max;
  }

  async keep({ id, secret, name, redirectUris, createdAt }: Client): Promise<void> {
    await this.#execute(
      `insert into clients (id, secret, name, redirect_uris, created_at, used_at) values (?, ?, ?, ?, ?, ${this.#use()})
       on conflict (id) do update set secret = excluded.secret, name = excluded.name,
         redirect_uris = excluded.redirect_uris, created_at = excluded.created_at, used_at = excluded.used_at`,
      [id, secret, name, JSON.stringify(redirectUris), createdAt],
    );
    await this.#makeRoom(id);
  }

  async find(id: string): Promise<Result<Client, { reason: 'not_found' }>> {
    const rows = await this.#execute(
      `update clients set used_at = ${this.#use()} where id = ?
       returning id, secret, name, redirect_uris, created_at`,
      [id],
    );
    const [client] = this.#database.rows.read(place, rows, toClient);
    return client === undefined ? err({ reason: 'not_found' }) : ok(client);
  }

  async noteSignIn(id: string): Promise<void> {
    const now = nowSql(this.#database.kind, this.#clock);
    await this.#execute(`update clients set signed_in_at = ${now} where id = ?`, [id]);
  }

  /** The time of a use, in Unix ms: now, or slightly later so that no two uses have the same time. */
  #use(): string {
    const now = nowSql(this.#database.kind, this.#clock);
    const last = '(select max(used_at) from clients)';
    return `case when ${last} >= ${now} then ${last} + 1 else ${now} end`;
  }

  /**
   * Evicts clients over the limit, except the one just stored. Concurrent writers may leave a few too many, which the
   * next write removes.
   */
  async #makeRoom(kept: string): Promise<void> {
    const [{ clients }] = countSchema.parse(await this.#execute('select count(*) as clients from clients', []));
    if (clients <= this.#max) return;
    await this.#execute(
      `delete from clients where id in (
         select id from clients where id <> ?
         order by case when signed_in_at is null then 0 else 1 end, used_at limit ${clients - this.#max})`,
      [kept],
    );
  }

  #execute(sql: string, parameters: readonly unknown[]): Promise<readonly unknown[]> {
    return this.#database.em.fork().execute(sql, parameters);
  }
}

function toClient(raw: unknown): Client {
  const row = rowSchema.parse(raw);
  const redirectUris = urisSchema.parse(JSON.parse(row.redirect_uris));
  return { id: row.id, secret: row.secret, name: row.name, redirectUris, createdAt: row.created_at };
}
