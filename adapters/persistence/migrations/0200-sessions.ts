import type { SchemaChange } from '#infrastructure/database/schema-change.ts';

/** The sessions of persons who signed in; `id` is a digest. */
export const sessions: SchemaChange = {
  name: '0200-sessions',
  statements: () => [
    `create table sessions (
      id text not null primary key, user_id bigint not null, begun_by text not null, begun_at bigint not null,
      expires_at bigint not null, user_agent text
    )`,
    'create index sessions_user on sessions (user_id, begun_at)',
    'create index sessions_expires on sessions (expires_at)',
  ],
};
