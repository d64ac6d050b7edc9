import type { SchemaChange } from '#infrastructure/database/schema-change.ts';

/** The grants that users gave to apps. `services` is a JSON list, null for all. */
export const appGrants: SchemaChange = {
  name: '0050-app-grants',
  statements: () => [
    `create table app_grants (
      id text not null primary key, user_id bigint not null, client_id text not null, client_name text not null,
      services text, is_readonly boolean not null, since bigint not null, last_used_at bigint
    )`,
    'create index app_grants_user on app_grants (user_id, since)',
    'create index app_grants_since on app_grants (since)',
  ],
};
