import type { SchemaChange } from '#infrastructure/database/schema-change.ts';

/** The trace that a delivery came in by, so that what it leads to is in the same one. */
export const inboxTraces: SchemaChange = {
  name: '0140-inbox-traces',
  statements: () => ['alter table webhook_inbox add column traceparent text'],
};
