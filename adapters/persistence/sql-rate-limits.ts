import { hash } from 'node:crypto';
import { raw } from '@mikro-orm/core';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { nowSql } from '#adapters/persistence/database-clock.ts';
import { RateLimitRow } from '#adapters/persistence/schema/rate-limits.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { RateLimited, RateLimits } from '#application/ports/rate-limits.ts';
import { type RateLimitName, rateLimitRules } from '#domain/limits/rate-limit-rules.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';
import type { Database } from '#infrastructure/database/open-database.ts';
import { Table } from '#infrastructure/database/table.ts';
import { entriesUpTo } from '#infrastructure/memory/entries-up-to.ts';
import { systemClock } from '#infrastructure/time/system-clock.ts';

const waitRows = z.array(z.object({ wait_ms: z.coerce.number() }));

/** How long a key that keeps being rejected is rejected without querying the database, in ms. */
const blockMs = 1_000;

/** The number of rejections of a key in its window, the window's end, and the last query, by this process's clock. */
type Refused = { times: number; endsAt: number; askedAt: number };

/**
 * Counts in the database, across all servers that share it. A rejected attempt is not counted. A key that was rejected
 * as often as its limit allows attempts costs at most one statement per second, however often it retries. Keys are
 * stored as digests.
 */
export class SqlRateLimits implements RateLimits {
  readonly #database: Database;
  readonly #clock: Clock | null;
  readonly #limits;
  readonly #refused = new LRUCache<string, Refused>(entriesUpTo(10_000));

  /** Without a clock, the database's time is used. */
  constructor(database: Database, clock: Clock | null = null) {
    this.#database = database;
    this.#clock = clock;
    this.#limits = new Table(database, RateLimitRow);
  }

  async take(limit: RateLimitName, key: string): Promise<Result<null, RateLimited>> {
    const { points, durationS } = rateLimitRules[limit];
    const row = rowOf(limit, key);
    const blockedMs = this.#blockedMs(row, points);
    if (blockedMs > 0) return rejection(blockedMs);
    const now = this.#now();
    // A window that ends later than one that begins now was not stored by this program, or the clock was set back.
    const isOver = `(rate_limits.ends_at <= ${now} or ${now} + ${durationS * 1000} < rate_limits.ends_at)`;
    const taken: readonly unknown[] = await this.#database.em.fork().execute(
      `insert into rate_limits (key, points, ends_at) values (?, 1, ${now} + ${durationS * 1000})
       on conflict (key) do update set
         points = case when ${isOver} then 1 else rate_limits.points + 1 end,
         ends_at = case when ${isOver} then excluded.ends_at else rate_limits.ends_at end
       where ${isOver} or rate_limits.points < ${points}
       returning points`,
      [row],
    );
    if (taken.length === 1) return ok(null);
    const query = this.#limits
      .qb()
      .select(raw(`ends_at - ${now} as wait_ms`))
      .where({ key: row });
    const waitMs = waitRows.parse(await query.execute('all', false))[0]?.wait_ms ?? 0;
    this.#noteRejection(row, waitMs);
    return rejection(waitMs);
  }

  async giveBack(limit: RateLimitName, key: string): Promise<void> {
    const row = rowOf(limit, key);
    this.#refused.delete(row);
    await this.#limits.update({ key: row, points: { $gt: 0 } }, { points: raw('points - 1') });
  }

  async forget(limit: RateLimitName, key: string): Promise<void> {
    const row = rowOf(limit, key);
    this.#refused.delete(row);
    await this.#limits.delete({ key: row });
  }

  /** How long the key is rejected without querying the database, in ms; 0 when the database must be queried. */
  #blockedMs(row: string, points: number): number {
    const refused = this.#refused.get(row);
    const now = this.#localNow();
    if (refused === undefined || refused.times < points || now - refused.askedAt >= blockMs) return 0;
    return refused.endsAt - now;
  }

  #noteRejection(row: string, waitMs: number): void {
    const now = this.#localNow();
    const { times, endsAt } = this.#refused.get(row) ?? { times: 0, endsAt: 0 };
    this.#refused.set(row, { times: endsAt <= now ? 1 : times + 1, endsAt: now + waitMs, askedAt: now });
  }

  #localNow(): number {
    return (this.#clock ?? systemClock).now();
  }

  #now(): string {
    return nowSql(this.#database.kind, this.#clock);
  }
}

function rejection(waitMs: number): Result<never, RateLimited> {
  return err({ reason: 'rate_limited', retryAfterS: Math.max(1, Math.ceil(waitMs / 1000)) });
}

function rowOf(limit: RateLimitName, key: string): string {
  return `${limit}:${hash('sha256', key, 'base64url')}`;
}
