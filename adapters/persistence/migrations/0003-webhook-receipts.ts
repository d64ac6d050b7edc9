import type { SchemaChange } from '#infrastructure/database/schema-change.ts';

/** When each webhook secret was last used, stale deliveries, and which records of the two CRMs correspond. */
export const webhookReceipts: SchemaChange = {
  name: '0003-webhook-receipts',
  statements: () => [
    `create table webhook_secret_uses (
      service text not null, secret_id text not null, used_at bigint not null, primary key (service, secret_id)
    )`,
    `create table webhook_stale (
      service text not null, delivery_id text not null, received_at bigint not null, age_ms bigint, times bigint not null,
      primary key (service, delivery_id)
    )`,
    'create index webhook_stale_latest on webhook_stale (received_at)',
    `create table party_links (
      service text not null, kind text not null, record_id text not null, remote_id text not null, digest text not null,
      applied_at bigint not null, primary key (service, kind, record_id)
    )`,
    'create index party_links_remote on party_links (kind, remote_id)',
  ],
};
