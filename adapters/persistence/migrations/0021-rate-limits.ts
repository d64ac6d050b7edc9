import type { SchemaChange } from '#infrastructure/database/schema-change.ts';

/** How much of a rate limit each key has used, and when its window ends. */
export const rateLimits: SchemaChange = {
  name: '0021-rate-limits',
  statements: () => [
    'create table rate_limits (key text not null primary key, points bigint not null, ends_at bigint not null)',
    'create index rate_limits_ended on rate_limits (ends_at)',
  ],
};
