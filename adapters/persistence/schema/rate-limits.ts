import { table, text, whole } from '#infrastructure/database/columns.ts';

/** The counters of rate limits, on PostgreSQL only; `key` is a digest. */
export const RateLimitRow = table('rate_limits', {
  key: text().primary(),
  points: whole(),
  endsAt: whole(),
});
