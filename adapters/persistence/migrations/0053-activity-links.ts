import type { SchemaChange } from '#infrastructure/database/schema-change.ts';

/** The address at which people can see the record of a call, as given in the service's answer. */
export const activityLinks: SchemaChange = {
  name: '0053-activity-links',
  statements: () => ['alter table activity add column record_url text'],
};
