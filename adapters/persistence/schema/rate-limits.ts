import { column, table } from '#infrastructure/database/columns.ts';

/** The counters of rate limits, on PostgreSQL only; `key` is a digest. */
export const RateLimitRow = table('rate_limits', {
  key: column.text().primary(),
  points: column.whole(),
  endsAt: column.whole(),
});
