import type { SchemaChange } from '#infrastructure/database/schema-change.ts';

/** Messages between servers that are too long for a notification; each is deleted a minute after it was sent. */
export const serverMessages: SchemaChange = {
  name: '0030-server-messages',
  statements: (kind) => [
    `create table server_messages (id ${kind === 'sqlite' ? 'integer primary key autoincrement' : 'bigserial primary key'}, text text not null, created_at bigint not null)`,
    'create index server_messages_created_at on server_messages (created_at)',
  ],
};
