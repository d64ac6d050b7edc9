import type { SchemaChange } from '#infrastructure/database/schema-change.ts';

/**
 * The service that processing a delivery calls, so that deliveries for an unavailable service do not hold up the
 * others.
 */
export const waitingDeliveries: SchemaChange = {
  name: '0010-waiting-deliveries',
  statements: () => [
    'alter table webhook_inbox add column calls text',
    "create index webhook_inbox_lanes on webhook_inbox (service, calls, seq) where state in ('pending', 'leased')",
  ],
};
