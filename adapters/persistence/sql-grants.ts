import { z } from 'zod';
import type { Grants } from '#application/ports/grants.ts';
import type { AppGrant } from '#domain/oauth/app-grant.ts';
import type { Database } from '#infrastructure/database/open-database.ts';

const whole = z.coerce.number().int();
const services = z.array(z.string());
const place = { table: 'app_grants', keys: ['id'] } as const;

/** A row as drivers return it: PostgreSQL returns integers as strings, SQLite booleans as numbers. */
const rowSchema = z.object({
  id: z.string(),
  user_id: whole,
  client_id: z.string(),
  client_name: z.string(),
  services: z.string().nullable(),
  is_readonly: z.union([z.boolean(), z.number().transform((value) => value !== 0)]),
  since: whole,
  last_used_at: z.union([z.null(), whole]),
});

/** Stores the grants of apps in the database. */
export class SqlGrants implements Grants {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async keep(grant: AppGrant): Promise<void> {
    const listed = grant.services === null ? null : JSON.stringify(grant.services);
    await this.#all(
      `insert into app_grants (id, user_id, client_id, client_name, services, is_readonly, since, last_used_at)
       values (?, ?, ?, ?, ?, ?, ?, ?)`,
      [
        grant.id,
        grant.userId,
        grant.clientId,
        grant.clientName,
        listed,
        grant.isReadonly,
        grant.since,
        grant.lastUsedAt,
      ],
    );
  }

  async find(id: string): Promise<AppGrant | null> {
    const rows = await this.#all('select * from app_grants where id = ?', [id]);
    return this.#database.rows.read(place, rows, toGrant)[0] ?? null;
  }

  async list(userId: number): Promise<readonly AppGrant[]> {
    const rows = await this.#all('select * from app_grants where user_id = ? order by since desc, id', [userId]);
    return this.#database.rows.read(place, rows, toGrant);
  }

  async noteUse(id: string, at: number): Promise<void> {
    const isLater = '(last_used_at is null or last_used_at < ?)';
    await this.#all(`update app_grants set last_used_at = ? where id = ? and ${isLater}`, [at, id, at]);
  }

  async remove(userId: number, id: string): Promise<boolean> {
    const rows = await this.#all('delete from app_grants where id = ? and user_id = ? returning id', [id, userId]);
    return rows.length === 1;
  }

  async prune(before: number): Promise<number> {
    return (await this.#all('delete from app_grants where since < ? returning id', [before])).length;
  }

  #all(sql: string, values: readonly unknown[]): Promise<readonly unknown[]> {
    return this.#database.em.fork().execute(sql, [...values]);
  }
}

function toGrant(raw: unknown): AppGrant {
  const row = rowSchema.parse(raw);
  return {
    id: row.id,
    userId: row.user_id,
    clientId: row.client_id,
    clientName: row.client_name,
    services: row.services === null ? null : services.parse(JSON.parse(row.services)),
    isReadonly: row.is_readonly,
    since: row.since,
    lastUsedAt: row.last_used_at,
  };
}
