import type { SchemaChange } from '#infrastructure/database/schema-change.ts';

/** Since when a connection's credentials are rejected, how many probes were rejected, and when the next one is due. */
export const refusedCredentials: SchemaChange = {
  name: '0011-refused-credentials',
  statements: () =>
    ['refused_at', 'refused_probes', 'probe_at'].map(
      (column) => `alter table connection_standings add column ${column} bigint`,
    ),
};
