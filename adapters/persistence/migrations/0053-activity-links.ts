import type { SchemaChange } from '#infrastructure/database/schema-change.ts';

/** Where people see the record of a call, as the service's answer said it. */
export const activityLinks: SchemaChange = {
  name: '0053-activity-links',
  statements: () => ['alter table activity add column record_url text'],
};
