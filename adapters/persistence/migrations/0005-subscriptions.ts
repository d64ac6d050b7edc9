import type { SchemaChange } from '#infrastructure/database/schema-change.ts';

/** The webhook registrations, and an index for each service's last delivery. */
export const subscriptions: SchemaChange = {
  name: '0005-subscriptions',
  statements: () => [
    `create table subscriptions (
      user_id bigint not null, service text not null, name text not null, events text not null, url text not null,
      secret_mark text, account text, state text not null, since bigint not null, remote_id text, registered_at bigint,
      expires_at bigint, checked_at bigint, failures bigint not null, retry_at bigint, reason text, version bigint not null,
      primary key (user_id, service, name)
    )`,
    'create index webhook_inbox_latest on webhook_inbox (service, received_at)',
  ],
};
