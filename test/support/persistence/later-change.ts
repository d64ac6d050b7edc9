import { migrations } from '#adapters/persistence/migrations.ts';
import type { SchemaChange } from '#infrastructure/database/schema-change.ts';

/** A change as a later version may bring one: columns that may be null or have a default, a table, an index. */
export const laterChange: SchemaChange = {
  name: '9999-later',
  statements: () => [
    'alter table users add column nickname text',
    'alter table outbound_tokens add column region text',
    "alter table webhook_inbox add column urgency text not null default 'usual'",
    'alter table clients add column logo text',
    'alter table leases add column note text',
    'create table badges (user_id bigint not null primary key, name text not null)',
    'create index users_nickname on users (nickname)',
  ],
};

/** Has servers that are started from now on be of a later version, with that change; what comes back ends it. */
export function ofLaterVersion(): () => void {
  // The list is what a version knows; servers read it when they start.
  const list: SchemaChange[] = Object.assign(migrations);
  list.push(laterChange);
  return () => void list.splice(list.indexOf(laterChange), 1);
}
