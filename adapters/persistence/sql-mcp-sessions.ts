import { z } from 'zod';
import { nowSql } from '#adapters/persistence/database-clock.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { McpSession, McpSessions } from '#application/ports/mcp-sessions.ts';
import type { Database } from '#infrastructure/database/open-database.ts';

/** The maximum number of sessions, per user and in total, and how long one may be unused, in ms. */
export type StoredSessionBounds = Readonly<{ perUser: number; all: number; idleMs: number }>;

const idsSchema = z.array(z.object({ id: z.string() }));
const sessionsSchema = z.array(z.object({ user_id: z.coerce.number(), state: z.string() }));

/** More rows than any table has: SQLite does not allow OFFSET without LIMIT. */
const noLimit = 1_000_000_000;

/** Stores the sessions of MCP clients in the database. */
export class SqlMcpSessions implements McpSessions {
  readonly #database: Database;
  readonly #bounds: StoredSessionBounds;
  readonly #clock: Clock | null;

  /** Without a clock, the database's time is used. */
  constructor(database: Database, bounds: StoredSessionBounds, clock: Clock | null = null) {
    this.#database = database;
    this.#bounds = bounds;
    this.#clock = clock;
  }

  async open(id: string, { userId, state }: McpSession): Promise<readonly string[]> {
    const { perUser, all } = this.#bounds;
    await this.#execute(`delete from mcp_sessions where used_at <= ${this.#over}`);
    await this.#execute(`insert into mcp_sessions (id, user_id, state, used_at) values (?, ?, ?, ${this.#now})`, [
      id,
      userId,
      state,
    ]);
    const kept = 'order by case when id = ? then 0 else 1 end, used_at desc, id';
    const removed = [
      await this.#execute(
        `delete from mcp_sessions where id in
           (select id from mcp_sessions where user_id = ? ${kept} limit ${noLimit} offset ${perUser}) returning id`,
        [userId, id],
      ),
      await this.#execute(
        `delete from mcp_sessions where id in
           (select id from mcp_sessions ${kept} limit ${noLimit} offset ${all}) returning id`,
        [id],
      ),
    ];
    return removed.flatMap((rows) => idsSchema.parse(rows).map((row) => row.id));
  }

  async find(id: string): Promise<McpSession | null> {
    const rows = await this.#execute(
      `select user_id, state from mcp_sessions where id = ? and used_at > ${this.#over}`,
      [id],
    );
    const [row] = sessionsSchema.parse(rows);
    return row === undefined ? null : { userId: row.user_id, state: row.state };
  }

  async change(id: string, before: string, after: string): Promise<boolean> {
    const rows = await this.#execute(
      `update mcp_sessions set state = ? where id = ? and state = ? and used_at > ${this.#over} returning id`,
      [after, id, before],
    );
    return idsSchema.parse(rows).length === 1;
  }

  async use(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    const places = ids.map(() => '?').join(', ');
    await this.#execute(
      `update mcp_sessions set used_at = ${this.#now} where used_at > ${this.#over} and id in (${places})`,
      ids,
    );
  }

  async end(id: string, userId: number): Promise<boolean> {
    const rows = await this.#execute(
      `delete from mcp_sessions where id = ? and user_id = ? and used_at > ${this.#over} returning id`,
      [id, userId],
    );
    return idsSchema.parse(rows).length === 1;
  }

  get #now(): string {
    return nowSql(this.#database.kind, this.#clock);
  }

  /** SQL for the last use before which a session has expired. */
  get #over(): string {
    return `${this.#now} - ${this.#bounds.idleMs}`;
  }

  #execute(sql: string, parameters: readonly unknown[] = []): Promise<unknown> {
    return this.#database.em.fork().execute(sql, [...parameters]);
  }
}
