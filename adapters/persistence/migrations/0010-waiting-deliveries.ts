import type { SchemaChange } from '#infrastructure/database/schema-change.ts';

/** The service that the work on a delivery calls, so that deliveries for one that is down wait apart from all others. */
export const waitingDeliveries: SchemaChange = {
  name: '0010-waiting-deliveries',
  statements: () => [
    'alter table webhook_inbox add column calls text',
    "create index webhook_inbox_lanes on webhook_inbox (service, calls, seq) where state in ('pending', 'leased')",
  ],
};
