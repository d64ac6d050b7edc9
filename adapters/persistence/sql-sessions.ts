import { z } from 'zod';
import type { Sessions } from '#application/ports/sessions.ts';
import type { PersonSession } from '#domain/sessions/person-session.ts';
import type { Database } from '#infrastructure/database/open-database.ts';

const whole = z.coerce.number().int();

/** A row as drivers return it: PostgreSQL returns integers as strings. */
const rowSchema = z.object({
  id: z.string(),
  user_id: whole,
  begun_by: z.string(),
  begun_at: whole,
  expires_at: whole,
  user_agent: z.string().nullable(),
});

/** Stores the sessions of persons in the database. */
export class SqlSessions implements Sessions {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async begin({ id, userId, begunBy, begunAt, expiresAt, userAgent }: PersonSession): Promise<void> {
    await this.#all(
      'insert into sessions (id, user_id, begun_by, begun_at, expires_at, user_agent) values (?, ?, ?, ?, ?, ?)',
      [id, userId, begunBy, begunAt, expiresAt, userAgent],
    );
  }

  async find(id: string): Promise<PersonSession | null> {
    const [row] = await this.#all('select * from sessions where id = ?', [id]);
    return row === undefined ? null : toSession(row);
  }

  async list(userId: number): Promise<readonly PersonSession[]> {
    const rows = await this.#all('select * from sessions where user_id = ? order by begun_at desc, id', [userId]);
    return rows.map(toSession);
  }

  async extend(id: string, expiresAt: number): Promise<void> {
    await this.#all('update sessions set expires_at = ? where id = ? and expires_at < ?', [expiresAt, id, expiresAt]);
  }

  async end(userId: number, id: string): Promise<boolean> {
    const rows = await this.#all('delete from sessions where id = ? and user_id = ? returning id', [id, userId]);
    return rows.length === 1;
  }

  async endAll(userId: number): Promise<number> {
    return (await this.#all('delete from sessions where user_id = ? returning id', [userId])).length;
  }

  async prune(before: number): Promise<number> {
    return (await this.#all('delete from sessions where expires_at < ? returning id', [before])).length;
  }

  #all(sql: string, values: readonly unknown[]): Promise<readonly unknown[]> {
    return this.#database.em.fork().execute(sql, [...values]);
  }
}

function toSession(raw: unknown): PersonSession {
  const row = rowSchema.parse(raw);
  return {
    id: row.id,
    userId: row.user_id,
    begunBy: row.begun_by,
    begunAt: row.begun_at,
    expiresAt: row.expires_at,
    userAgent: row.user_agent,
  };
}
