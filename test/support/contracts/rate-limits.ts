import { mock } from 'node:test';
import { SqlRateLimits } from '#adapters/persistence/sql-rate-limits.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { RateLimits } from '#application/ports/rate-limits.ts';
import { rateLimitRules } from '#domain/limits/rate-limit-rules.ts';
import { MemoryRateLimits } from '#infrastructure/limits/memory-rate-limits.ts';
import type { Opened, OpenOptions, Subject } from '#test/contracts/kit/subject.ts';
import { type SqlStore, sqliteSubject } from '#test/support/contracts/sql-subject.ts';

/**
 * The counters in memory, whose library counts by timers: those and the time of day are the clock's while a test has the
 * store open.
 */
const inMemory: Subject<RateLimits> = {
  name: 'memory',
  open: async ({ clock }) => {
    mock.timers.enable({ apis: ['Date', 'setTimeout'], now: clock.now() });
    return { port: byClock(new MemoryRateLimits(rateLimitRules), clock), close: async () => mock.timers.reset() };
  },
  reopen: async ({ close }, { clock }) => ({ port: byClock(new MemoryRateLimits(rateLimitRules), clock), close }),
  beside: async (_, options) => besides(options),
  supports: { durable: false, processes: false },
};

const besides = async ({ clock }: OpenOptions): Promise<Opened<RateLimits>> => ({
  port: byClock(new MemoryRateLimits(rateLimitRules), clock),
  close: async () => undefined,
});

/** Moves the timers to the clock's time before each call. */
function byClock(limits: RateLimits, clock: Clock): RateLimits {
  const moved = () => {
    mock.timers.tick(clock.now() - Date.now());
    return limits;
  };
  return {
    take: (limit, key) => moved().take(limit, key),
    giveBack: (limit, key) => moved().giveBack(limit, key),
    forget: (limit, key) => moved().forget(limit, key),
  };
}

/** The counters in a database. */
export const sqlRateLimits: SqlStore<RateLimits> = {
  tables: ['rate_limits'],
  make: (database, { clock }) => new SqlRateLimits(database, clock),
};

/** The counters of rate limits that this project has. */
export const rateLimitStores = [inMemory, sqliteSubject(sqlRateLimits)];
