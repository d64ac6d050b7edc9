import type { SchemaChange } from '#infrastructure/database/schema-change.ts';

/**
 * Since when a user is deactivated, the time zone of their pages, and the tools they switched off for apps, as a JSON
 * list.
 */
export const userColumns: SchemaChange = {
  name: '0051-people',
  statements: () => [
    'alter table users add column deactivated_at bigint',
    'alter table users add column time_zone text',
    'alter table users add column switched_off text',
  ],
};
