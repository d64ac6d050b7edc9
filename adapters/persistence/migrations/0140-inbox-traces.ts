import type { SchemaChange } from '#infrastructure/database/schema-change.ts';

/** The trace context in which a delivery arrived, so that processing it continues the same trace. */
export const inboxTraces: SchemaChange = {
  name: '0140-inbox-traces',
  statements: () => ['alter table webhook_inbox add column traceparent text'],
};
