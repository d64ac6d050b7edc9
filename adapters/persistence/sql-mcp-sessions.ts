import { raw } from '@mikro-orm/core';
import { z } from 'zod';
import type { McpSession, McpSessions } from '#adapters/contracts/mcp-sessions.ts';
import { nowSql } from '#adapters/persistence/database-clock.ts';
import { McpSessionRow } from '#adapters/persistence/schema/mcp-sessions.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { Database } from '#infrastructure/database/open-database.ts';
import { Table } from '#infrastructure/database/table.ts';

/** The maximum number of sessions, per user and in total, and how long one may be unused, in ms. */
export type StoredSessionBounds = Readonly<{ perUser: number; all: number; idleMs: number }>;

const idsSchema = z.array(z.object({ id: z.string() }));

/** More rows than any table has: SQLite does not allow OFFSET without LIMIT. */
const noLimit = 1_000_000_000;

/** Stores the sessions of MCP clients in the database. */
export class SqlMcpSessions implements McpSessions {
  readonly #database: Database;
  readonly #bounds: StoredSessionBounds;
  readonly #clock: Clock | null;
  readonly #sessions;

  /** Without a clock, the database's time is used. */
  constructor(database: Database, bounds: StoredSessionBounds, clock: Clock | null = null) {
    this.#database = database;
    this.#bounds = bounds;
    this.#clock = clock;
    this.#sessions = new Table(database, McpSessionRow);
  }

  async open(id: string, { userId, state }: McpSession): Promise<readonly string[]> {
    const { perUser, all } = this.#bounds;
    await this.#sessions.delete({ usedAt: { $lte: this.#over } });
    await this.#sessions.insert({ id, userId, state, usedAt: raw(this.#now) });
    const kept = 'order by case when id = ? then 0 else 1 end, used_at desc, id';
    return [
      ...(await this.#remove(`where user_id = ? ${kept}`, [userId, id], perUser)),
      ...(await this.#remove(kept, [id], all)),
    ];
  }

  /** Removes the sessions after the first `most` of a selection; returns their ids. */
  async #remove(selection: string, values: readonly unknown[], most: number): Promise<readonly string[]> {
    // The query builder returns no rows that it deletes.
    const removed = await this.#database.em.fork().execute(
      `delete from mcp_sessions where id in
         (select id from mcp_sessions ${selection} limit ${noLimit} offset ${most}) returning id`,
      [...values],
    );
    return idsSchema.parse(removed).map((row) => row.id);
  }

  async find(id: string): Promise<McpSession | null> {
    const query = this.#sessions.qb().select('*').where({ id, usedAt: this.#unexpired });
    return (await this.#sessions.some(query, ['userId', 'state']))[0] ?? null;
  }

  async change(id: string, before: string, after: string): Promise<boolean> {
    return (await this.#sessions.update({ id, state: before, usedAt: this.#unexpired }, { state: after })) === 1;
  }

  async use(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    await this.#sessions.update({ id: { $in: [...ids] }, usedAt: this.#unexpired }, { usedAt: raw(this.#now) });
  }

  async end(id: string, userId: number): Promise<boolean> {
    return (await this.#sessions.delete({ id, userId, usedAt: this.#unexpired })) === 1;
  }

  get #now(): string {
    return nowSql(this.#database.kind, this.#clock);
  }

  /** The last use before which a session has expired. */
  get #over() {
    return raw(`${this.#now} - ${this.#bounds.idleMs}`);
  }

  get #unexpired() {
    return { $gt: this.#over };
  }
}
